// What one PE does, with no network: a switch, a task that never waits, a fiber switch, a message to
// itself; and the bytes of a suspended task. Google Benchmark; `ticks` is TSC ticks per operation.
#include <benchmark/benchmark.h>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/pool.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/task/run_local.hpp"
#include "tsubu/task/sleep.hpp"
#include "tsubu/task/task.hpp"
#include "tsubu/task/yield.hpp"

namespace {

using namespace tsubu;

// Reports ticks per operation of a loop that did `operations` of them in each iteration.
class tick_counter {
 public:
  tick_counter(benchmark::State& state, std::int64_t operations) : state_(state), operations_(operations) {}
  ~tick_counter() {
    const auto taken = static_cast<double>(ticks() - start_);
    state_.counters["ticks"] = taken / static_cast<double>(operations_) / static_cast<double>(state_.iterations());
    state_.SetItemsProcessed(operations_ * state_.iterations());
  }

 private:
  benchmark::State& state_;
  std::int64_t operations_;
  std::uint64_t start_ = ticks();
};

// 1,000 tasks yield in turn: one switch is from a task through the ready queue to the next.
void bm_switch(benchmark::State& state) {
  constexpr int tasks = 1000, rounds = 100;
  task_context context;
  const task_context_scope current(context);
  bool stop = false;
  auto yields = [](const bool& end) -> task<void> {
    while (!end) co_await yield();
  };
  for (int i = 0; i < tasks; ++i) spawn(yields(stop));
  {
    const tick_counter counted(state, tasks * rounds);
    for (auto _ : state) benchmark::DoNotOptimize(context.run_some(tasks * rounds));
  }
  stop = true;
  context.run_some(2 * tasks);
}
BENCHMARK(bm_switch)->Name("switch");

// A task that ends without waiting: made, started, awaited, freed.
[[gnu::noinline]] task<long> plus_one(long x) { co_return x + 1; }

task<long> await_many(int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await plus_one(i);
  co_return sum;
}

void bm_task_ready(benchmark::State& state) {
  constexpr int awaits = 10'000;
  task_context context;
  const tick_counter counted(state, awaits);
  for (auto _ : state) benchmark::DoNotOptimize(run_local(context, await_many(awaits)));
}
BENCHMARK(bm_task_ready)->Name("task_ready");

// Two fibers yield to each other.
void bm_fiber_switch(benchmark::State& state) {
  constexpr int rounds = 100'000;
  task_context context;
  const task_context_scope current(context);
  bool stop = false;
  for (int i = 0; i < 2; ++i) {
    spawn_fiber([&stop] {
      while (!stop) fiber_yield();
    });
  }
  {
    const tick_counter counted(state, rounds);
    for (auto _ : state) benchmark::DoNotOptimize(context.run_some(rounds));
  }
  stop = true;
  context.run_some(10);
}
BENCHMARK(bm_fiber_switch)->Name("fiber_switch");

// How many core cycles pass in a TSC tick: a chain of additions, each of which takes one cycle and needs
// the one before.
void bm_core_clock(benchmark::State& state) {
  constexpr int additions = 1'000'000;
  double cycles_per_tick = 0;
  for (auto _ : state) {
    const std::uint64_t start = ticks();
    std::uint64_t x = 0;
    for (int i = 0; i < additions / 10; ++i) {
      asm volatile(
          "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
          "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0"
          : "+r"(x));
    }
    cycles_per_tick = additions / static_cast<double>(ticks() - start);
  }
  state.counters["cycles_per_tick"] = cycles_per_tick;
}
BENCHMARK(bm_core_clock)->Name("core_clock");

// A task that waits, with 4 words that it needs afterwards, all included: frame, result, what it waits for.
// Not timed: its bytes are the figure.
task<void> waits(long& sum, long a, long b, long c) {
  co_await sleep_for(std::chrono::nanoseconds(1));
  sum += a * b + c;
}

void bm_task_bytes(benchmark::State& state) {
  constexpr int tasks = 1'000'000;
  double bytes = 0;
  for (auto _ : state) {
    task_context context;
    const task_context_scope current(context);
    long sum = 0;
    const std::size_t before = this_pool.statistics().chunk_bytes;
    for (long i = 0; i < tasks; ++i) spawn(waits(sum, i, i + 1, i + 2));
    // What is left over at the end of the last chunk is counted, too.
    bytes = static_cast<double>(this_pool.statistics().chunk_bytes - before) / tasks;
    while (context.next_deadline_ns() != task_context::no_deadline) context.run_timers(context.now());
    context.run_some(2 * tasks);
    benchmark::DoNotOptimize(sum);
  }
  state.counters["bytes"] = bytes;
}
BENCHMARK(bm_task_bytes)->Name("task_bytes")->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
