// A user's program for sanitizers: without an argument it is right, and uses what they find hard to follow. With the
// name of a bug as its argument it has that bug.
//
// Memory of the user's travels in messages, bulks and objects that move; fibers wait in a recursion and in a handler of
// an exception; coroutine frames are made and ended on all PEs.
#include <cstdio>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

using namespace tsubu;

// ---- what is right

long answer(long x) { return x + 1; }
task<std::string> greeting(std::string whom) {
  co_await yield();
  co_return whom + " and " + std::to_string(this_pe());
}
long sum_of(std::vector<long> values) { return std::accumulate(values.begin(), values.end(), 0L); }
std::string refuses(std::string why) { throw std::runtime_error(why); }

// Asks from within a recursion: each level waits on its PE's fiber, and has a local array that others may not touch.
long deep(int levels) {
  char mark[40];
  std::memset(mark, levels, sizeof mark);
  const long below = levels == 0 ? 0 : deep(levels - 1);
  const long here = wait(at((this_pe() + 1) % pe_count()).now<answer>(levels));
  if (mark[39] != levels) std::abort();
  return below + here;
}

long catches(int times) {
  long caught = 0;
  for (int i = 0; i < times; ++i) {
    try {
      fiber_yield();
      wait(at((this_pe() + 1) % pe_count()).now<refuses>("no"));
    } catch (const std::exception&) {
      ++caught;
      fiber_yield();
    }
  }
  return caught;
}

// An object that asks others while it waits, and takes its memory along when it moves.
struct counter : object<counter> {
  std::vector<long> seen;
  void add(long k) { seen.push_back(k); }
  long sum() { return sum_of(seen); }
  task<long> sum_with(ref<counter> other) {
    const long theirs = co_await other.now<&counter::sum>();
    co_return sum() + theirs;
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(seen);
  }
};

pe_local<std::vector<long>> arrived;
void arrive(long k) { arrived->push_back(k); }

task<bool> messages_are_right(pe_id next) {
  bool right = co_await at(next).now<greeting>("you") == "you and " + std::to_string(next);
  const std::vector<long> longer_than_a_batch(200'000, 1);
  right = co_await at(next).now<sum_of>(longer_than_a_batch) == 200'000 && right;
  for (int i = 0; i < 20'000; ++i) co_await at(i % pe_count()).past<arrive>(1);
  co_await quiescence();
  co_return sum_of(*arrived) == 20'000 && right;
}

task<bool> fibers_are_right() {
  std::vector<future<long>> fibers;
  bool right = true;
  for (int i = 0; i < 20; ++i) fibers.push_back(start(run_fiber(deep, 20)));
  for (future<long>& f : fibers) right = co_await f == 231 && right;
  co_return co_await run_fiber(catches, 30) == 30 && right;
}

task<bool> objects_are_right(pe_id next) {
  const ref<counter> here = create<counter>(at(this_pe()));
  const ref<counter> there = create<counter>(at(next));
  for (int i = 0; i < 10; ++i) co_await here.past<&counter::add>(1);
  for (int i = 0; i < 10'000; ++i) {
    if (i % 1000 == 500) co_await there.move_to(i / 1000 % pe_count());
    co_await there.past<&counter::add>(1);
  }
  co_return co_await here.now<&counter::sum_with>(there) == 10'010;
}

// ---- one bug each

volatile std::size_t past_the_end = 0;
long writes_past_the_end(std::vector<long> values) { return values.data()[values.size() + past_the_end] = 1; }

long* escaped = nullptr;
[[gnu::noinline]] void lets_a_local_escape() {
  long local = this_pe();
  *const_cast<long* volatile*>(&escaped) = &local;
}
long reads_what_has_returned() {
  lets_a_local_escape();
  wait(at(0).now<answer>(1));
  return *escaped;
}
long lets_its_stack_escape() {
  lets_a_local_escape();
  long local[8] = {this_pe()};
  *const_cast<long* volatile*>(&escaped) = local;
  return wait(at(0).now<answer>(local[0]));
}

volatile int largest = 2'147'483'647;
int adds_to_the_largest() { return largest + 1; }

long shared_by_mistake = 0;
void counts_in_a_global() { shared_by_mistake = shared_by_mistake + 1; }

task<int> bug(std::string which) {
  if (which == "overflow") co_await at(1).now<writes_past_the_end>(std::vector<long>(10));
  if (which == "returned") co_await run_fiber(reads_what_has_returned);
  if (which == "ended") {
    co_await run_fiber(lets_its_stack_escape);
    std::printf("%ld\n", *escaped);
  }
  if (which == "undefined") co_await at(1).now<adds_to_the_largest>();
  if (which == "race") {
    for (int i = 0; i < 1000; ++i) {
      for (pe_id pe = 0; pe < pe_count(); ++pe) co_await at(pe).past<counts_in_a_global>();
    }
    co_await quiescence();
  }
  co_return 3;  // nobody has noticed
}

task<int> program(arguments args) {
  if (args.size() > 1) {
    if (this_pe() == 0) co_return co_await bug(args[1]);
    co_return 0;
  }
  const pe_id next = (this_pe() + 1) % pe_count();
  const bool messages = co_await messages_are_right(next);
  const bool fibers = co_await fibers_are_right();
  const bool objects = co_await objects_are_right(next);
  co_return co_await all_reduce(messages && fibers && objects ? 0 : 1, reduce::plus);
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
