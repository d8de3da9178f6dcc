// tsubu::disjoint_sets of a random graph whose edges lie on all PEs: from its first edge until each vertex has its
// representative. The time is that of the slowest PE, from a barrier on.
#include <vector>

#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include "bench/disjoint_workload.hpp"
#include "bench/ours/job.hpp"
#include "bench/report.hpp"

namespace {

using namespace tsubu;

struct outcome {
  double seconds = 0;
  std::uint64_t sets = 0;
};

task<outcome> timed(const std::vector<bench::graph_edge>& edges) {
  auto parts = co_await create_disjoint_sets<std::uint64_t>();
  co_await barrier();
  const bench::stopwatch watch;
  for (const auto& [from, to] : edges) co_await parts.unite(from, to);
  co_await quiescence();
  co_await parts.compress();
  outcome o;
  o.seconds = co_await all_reduce(watch.seconds(), reduce::max);
  o.sets = co_await parts.count_sets();
  co_await parts.end();
  co_return o;
}

task<int> program(arguments args) {
  std::int64_t vertices = 1'000'000, repetitions = 3;
  if (const auto code = bench::read_options(
          args, "disjoint sets of a random graph",
          {{"--vertices", &vertices, "of all PEs; there are twice as many edges"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  const std::vector<bench::graph_edge> edges = bench::make_graph_edges(
      static_cast<std::uint64_t>(vertices), static_cast<std::size_t>(this_pe()), static_cast<std::size_t>(pe_count()));
  std::vector<double> seconds;
  std::uint64_t sets = 0;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const outcome o = co_await timed(edges);
    sets = o.sets;
    if (r > 0) seconds.push_back(o.seconds);
  }
  if (this_pe() == 0) {
    bench::result_line line("disjoint_sets");
    line.add("transport", transport_name()).add("pes", pe_count()).add("vertices", vertices);
    line.add("sets", static_cast<std::int64_t>(sets)).add("seconds", bench::summarize(seconds).median);
    line.print();
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
