// What the fib peers share: fib(n) = 1 for n <= 2, else fib(n - 1) + fib(n - 2), with a task of the library for each
// call. That is 2 fib(n) - 1 tasks, each of which does next to nothing: the figure is what tasks cost.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace bench {

constexpr std::int64_t fib(std::int64_t n) {
  std::int64_t value = 1, before = 0;
  for (; n > 1; --n) before = std::exchange(value, value + before);
  return value;
}

struct fib_options {
  std::int64_t n;
  std::int64_t threads = 1;
  std::int64_t repetitions = 7;

  // --n, --repetitions and the program's own.
  void parse(int argc, char** argv, const std::string& what, std::vector<option> options = {}) {
    options.push_back({"--n", &n, "fib(n) is computed, by 2 fib(n) - 1 tasks; 1 to 60"});
    options.push_back({"--repetitions", &repetitions, "after one untimed; their median is reported"});
    parse_options(argc, argv, what, options);
    if (n >= 1 && n <= 60 && threads >= 1 && repetitions >= 1) return;
    std::fprintf(stderr, "--n is 1 to 60, --threads and --repetitions are 1 at least\n");
    std::exit(2);
  }
};

// Runs compute(n) repetitions + 1 times, prints the line and returns the exit code.
template <typename Compute>
int measure_fib(std::string_view peer, const fib_options& options, Compute compute) {
  const std::int64_t expected = fib(options.n), tasks = 2 * expected - 1;
  std::vector<double> rates, ticks_each;
  for (std::int64_t r = 0; r <= options.repetitions; ++r) {
    const std::int64_t start_ns = tsubu::now_ns();
    const std::uint64_t start = tsubu::ticks();
    const std::int64_t value = compute(options.n);
    const std::uint64_t end = tsubu::ticks();
    const std::int64_t end_ns = tsubu::now_ns();
    if (value != expected) {
      std::fprintf(stderr, "fib(%d) by %s is %lld, not %lld\n", static_cast<int>(options.n), std::string(peer).c_str(),
                   static_cast<long long>(value), static_cast<long long>(expected));
      result_line("fib").add("peer", peer).add("n", options.n).add("verified", false).print();
      return 1;
    }
    if (r == 0) continue;
    rates.push_back(static_cast<double>(tasks) * 1e9 / static_cast<double>(end_ns - start_ns));
    ticks_each.push_back(static_cast<double>(end - start) / static_cast<double>(tasks));
  }
  const summary rate = summarize(rates);
  result_line line("fib");
  line.add("peer", peer).add("pes", options.threads).add("n", options.n).add("tasks", tasks).add("verified", true);
  line.add("tasks_per_second", rate.median).add("ticks_per_task", summarize(ticks_each).median);
  line.add(rate).print();
  return 0;
}

}  // namespace bench
