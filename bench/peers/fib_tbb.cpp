// fib with a task of oneTBB for each call, in the task_group of its caller.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstdint>

#include "bench/peers/fib.hpp"

namespace {

std::int64_t call(std::int64_t n) {
  if (n <= 2) return 1;
  std::int64_t left = 0, right = 0;
  tbb::task_group group;
  group.run([&left, n] { left = call(n - 1); });
  group.run_and_wait([&right, n] { right = call(n - 2); });
  return left + right;
}

}  // namespace

int main(int argc, char** argv) {
  bench::fib_options options{.n = 27};
  options.parse(argc, argv, "fib, one oneTBB task a call", {{"--threads", &options.threads, "that execute tasks"}});
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(options.threads));
  tbb::task_arena arena(static_cast<int>(options.threads));
  return bench::measure_fib("onetbb", options, [&](std::int64_t n) {
    std::int64_t value = 0;
    arena.execute([&] {
      tbb::task_group group;
      group.run_and_wait([&value, n] { value = call(n); });
    });
    return value;
  });
}
