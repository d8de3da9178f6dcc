// The loop by oneTBB's parallel_reduce, in pieces of a grain, and the tree by its parallel_for_each, whose body feeds
// it.
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <functional>
#include <vector>

#include "bench/parallel_workload.hpp"
#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace {

double per_second(std::int64_t count, std::int64_t start_ns) {
  return static_cast<double>(count) * 1e9 / static_cast<double>(tsubu::now_ns() - start_ns);
}

}  // namespace

int main(int argc, char** argv) {
  bench::parallel_options o;
  bench::parse_options(argc, argv, "a loop and a tree of work items, by oneTBB",
                       {{"--threads", &o.threads, "that run them"},
                        {"--indices", &o.indices, "of the loop"},
                        {"--grain", &o.grain, "indices of the smallest piece"},
                        {"--depth", &o.depth, "of the tree"},
                        {"--repetitions", &o.repetitions, "after one untimed; their median is reported"}});
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(o.threads));
  tbb::task_arena arena(static_cast<int>(o.threads));
  std::int64_t wanted = 0;
  for (std::int64_t i = 1; i <= o.indices; ++i) wanted += bench::steps_to_one(i);
  const std::int64_t nodes = bench::nodes_of_tree(static_cast<int>(o.depth));

  std::vector<double> loop, tree;
  bool verified = true;
  arena.execute([&] {
    for (std::int64_t r = 0; r <= o.repetitions; ++r) {
      const std::int64_t loop_start_ns = tsubu::now_ns();
      using range = tbb::blocked_range<std::int64_t>;
      const auto piece = [](const range& indices, std::int64_t steps) {
        for (std::int64_t i = indices.begin(); i < indices.end(); ++i) steps += bench::steps_to_one(i);
        return steps;
      };
      const std::int64_t steps = tbb::parallel_reduce(range(1, o.indices + 1, static_cast<std::size_t>(o.grain)),
                                                      std::int64_t{0}, piece, std::plus<std::int64_t>());
      const double loop_rate = per_second(o.indices, loop_start_ns);

      const std::int64_t tree_start_ns = tsubu::now_ns();
      tbb::combinable<std::int64_t> visited([] { return std::int64_t{0}; });
      const std::vector<bench::tree_node> root{{static_cast<int>(o.depth)}};
      tbb::parallel_for_each(root, [&](const bench::tree_node& n, tbb::feeder<bench::tree_node>& more) {
        for (int k = 0; k < 2 && n.depth > 0; ++k) more.add({n.depth - 1});
        ++visited.local();
      });
      const double tree_rate = per_second(nodes, tree_start_ns);
      verified = verified && steps == wanted && visited.combine(std::plus<std::int64_t>()) == nodes;
      if (r == 0) continue;
      loop.push_back(loop_rate);
      tree.push_back(tree_rate);
    }
  });
  bench::result_line line("parallel");
  line.add("peer", "onetbb").add("pes", o.threads).add("verified", verified);
  if (verified) {
    line.add("indices_per_second", bench::summarize(loop).median);
    line.add("items_per_second", bench::summarize(tree).median);
  }
  line.print();
  return verified ? 0 : 1;
}
