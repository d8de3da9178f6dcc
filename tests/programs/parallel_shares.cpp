// Promise: a loop and a tree of work items, opened by one PE, are shared by all: on a simulated machine, where time is
// the job's own, they take little longer than a PE's share.
#include <algorithm>
#include <ranges>

#include "tests/programs/expect.hpp"
#include "tsubu/base/clock.hpp"

using namespace tsubu;

namespace {

// Clocks of 0.4 ns on the machine `cluster`: 2 and 4 µs.
constexpr double index_clocks = 5000;
constexpr double node_clocks = 10000;

struct node {
  int depth;
};

double seconds_since(std::int64_t start_ns) { return static_cast<double>(now_ns() - start_ns) * 1e-9; }

void check(const char* what, double alone, double seconds, double least) {
  const double efficiency = alone / seconds / pe_count();
  std::printf("%s: %.2f ms, efficiency %.2f\n", what, seconds * 1e3, efficiency);
  expect(simulated == nullptr || efficiency >= least,
         std::string(what) + " at an efficiency of " + std::to_string(least) + ", not " + std::to_string(efficiency));
}

task<int> program(arguments args) {
  const auto least = static_cast<double>(option(args, "--efficiency", 0)) / 100;

  const auto indices = static_cast<int>(option(args, "--indices", 100000));
  std::int64_t start_ns = now_ns();
  const std::int64_t run = co_await parallel_reduce(std::views::iota(0, indices), 5, reduce::plus, [](int i) {
    work(i % 2 == 0 ? 2 * index_clocks : 0);
    return std::int64_t{1};
  });
  check("a loop", indices * index_clocks * 0.4e-9, seconds_since(start_ns), least);
  expect_equal(run, indices, "how many indices were run");

  const auto depth = static_cast<int>(option(args, "--depth", 16));
  const std::int64_t nodes = (1 << (depth + 1)) - 1;
  start_ns = now_ns();
  const std::int64_t visited = co_await parallel_items(node{depth}, reduce::plus, [](node n, work_items<node>& more) {
    work(node_clocks);
    for (int k = 0; k < 2 && n.depth > 0; ++k) more.add({n.depth - 1});
    return std::int64_t{1};
  });
  check("a tree", static_cast<double>(nodes) * node_clocks * 0.4e-9, seconds_since(start_ns), least);
  expect_equal(visited, nodes, "how many nodes were visited");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
