// A loop of 0.2 us an index, a plain one beside it, and a tree of items that do nothing. One PE opens each.
#include <ranges>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/parallel_workload.hpp"

namespace {

using namespace tsubu;

double per_second(std::int64_t count, const bench::stopwatch& watch) {
  return static_cast<double>(count) / watch.seconds();
}

task<int> program(arguments args) {
  bench::parallel_options o;
  if (const auto code = bench::read_options(
          args, "a loop and a tree of work items, opened by one PE",
          {{"--indices", &o.indices, "of the loop"},
           {"--grain", &o.grain, "indices between two looks at what others want"},
           {"--depth", &o.depth, "of the tree"},
           {"--repetitions", &o.repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  std::int64_t wanted = 0;
  std::vector<double> plain, loop, tree;
  bool verified = true;
  for (std::int64_t r = 0; r <= o.repetitions; ++r) {
    const bench::stopwatch of_plain;
    wanted = 0;
    for (std::int64_t i = 1; i <= o.indices; ++i) wanted += bench::steps_to_one(i);
    const double plain_rate = per_second(o.indices, of_plain);

    const bench::stopwatch of_loop;
    const std::int64_t steps =
        co_await parallel_reduce(std::views::iota(std::int64_t{1}, o.indices + 1), o.grain, reduce::plus,
                                 [](std::int64_t i) { return bench::steps_to_one(i); });
    const double loop_rate = per_second(o.indices, of_loop);

    const std::int64_t nodes = bench::nodes_of_tree(static_cast<int>(o.depth));
    const bench::stopwatch of_tree;
    const std::int64_t visited = co_await parallel_items(bench::tree_node{static_cast<int>(o.depth)}, reduce::plus,
                                                         [](bench::tree_node n, work_items<bench::tree_node>& more) {
                                                           for (int k = 0; k < 2 && n.depth > 0; ++k)
                                                             more.add({n.depth - 1});
                                                           return std::int64_t{1};
                                                         });
    const double tree_rate = per_second(nodes, of_tree);
    verified = verified && steps == wanted && visited == nodes;
    if (r == 0) continue;
    plain.push_back(plain_rate);
    loop.push_back(loop_rate);
    tree.push_back(tree_rate);
  }
  bench::result_line line("parallel");
  line.add("transport", transport_name()).add("pes", pe_count()).add("verified", verified);
  if (verified) {
    line.add("plain_indices_per_second", bench::summarize(plain).median);
    line.add("indices_per_second", bench::summarize(loop).median);
    line.add("items_per_second", bench::summarize(tree).median);
  }
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
