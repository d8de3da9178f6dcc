// The least that a switch between coroutine tasks can cost: a queue of handles, each resumed in turn and put back by
// its own await. No scheduler, no PE, nothing else.
#include <bit>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "bench/peers/per_step.hpp"
#include "bench/report.hpp"

namespace {

// A circle of handles, with room for a power of two of them.
class queue {
 public:
  void make_room(std::size_t tasks) {
    handles_.resize(std::bit_ceil(tasks + 1));
    first_ = handles_.data();
    mask_ = handles_.size() - 1;
  }
  void push(std::coroutine_handle<> h) { first_[tail_++ & mask_] = h; }
  std::coroutine_handle<> pop() { return first_[head_++ & mask_]; }
  bool empty() const { return head_ == tail_; }

 private:
  std::coroutine_handle<>* first_ = nullptr;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::vector<std::coroutine_handle<>> handles_;
};

// The one thread has one queue. It is not in the frames: a thousand of them should stay in the nearest cache.
queue ready;

// Starts when first resumed; its frame ends with it.
struct task {
  struct promise_type {
    task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<> handle;
};

struct yield {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) const { ready.push(h); }
  void await_resume() const noexcept {}
};

// Takes `times` turns, and adds to `turns` those it took.
task take_turns(std::int64_t times, std::int64_t& turns) {
  std::int64_t taken = 0;
  for (; taken < times; ++taken) co_await yield();
  turns += taken;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t tasks = 1000, switches = 1000, repetitions = 21;
  bench::parse_options(argc, argv, "switch between coroutines through a bare queue",
                       {{"--tasks", &tasks, "coroutines"},
                        {"--switches", &switches, "of each"},
                        {"--repetitions", &repetitions, "measurements; their median is reported"}});
  ready.make_room(static_cast<std::size_t>(tasks));
  std::int64_t counted = 0;
  const std::int64_t steps = tasks * switches;
  const bench::summary ticks = bench::ticks_per_step(repetitions, steps, [&] {
    for (std::int64_t i = 0; i < tasks; ++i) ready.push(take_turns(switches, counted).handle);
    while (!ready.empty()) ready.pop().resume();
  });

  const bool verified = counted == steps * (repetitions + 1);
  bench::result_line line("coroutine_queue");
  line.add("peer", "coroutines").add("pes", 1).add("tasks", tasks).add("verified", verified);
  if (verified) bench::add_times(line, "switch", ticks);
  line.add(ticks).print();
  return verified ? 0 : 1;
}
