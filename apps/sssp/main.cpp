// bale's sssp on Tsubu: shortest paths from one vertex to all others.
#include <fmt/core.h>
#include <algorithm>
#include <limits>

#include "apps/graph/load.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "apps/sssp/paths.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

constexpr graph::file_rules weighted{.square = true, .positive_weights = true};

struct options {
  graph::input from{.rows = 200'000, .degree = 10, .file = {}};
  graph::vertex source = 0;
  double delta = 0;  // 0: chosen from the graph
  bool dijkstra = false;
  bool json = false;
};

// Runs on every PE.
task<int> run_search(options asked) {
  program::progress shown("sssp");
  shown.begin("making the graph");
  const graph::loaded given =
      co_await graph::load(asked.from, graph::part::no_diagonal, weighted, graph::repeats::keep_least, &shown);
  if (!given.trouble.empty()) co_return program::complain("sssp", given.trouble);
  const graph::sparse_rows& graph = given.rows;
  if (asked.source >= graph.rows) {
    co_return program::complain(
        "sssp", fmt::format("--source: expected a vertex from 0 to {}, got {}", graph.rows - 1, asked.source));
  }

  double largest = 0;
  for (const double weight : graph.value) largest = std::max(largest, weight);
  largest = co_await all_reduce(largest, reduce::max);
  const auto edges = co_await all_reduce(static_cast<std::int64_t>(graph.nonzeros()), reduce::plus);
  double delta = asked.delta;
  // About one light edge a vertex, as Meyer and Sanders advise for random weights.
  if (delta == 0) delta = edges == 0 ? 1 : largest / std::max(1.0, static_cast<double>(edges) / graph.rows);
  if (delta == 0) delta = largest;  // of weights that are hardly above 0
  if (delta < largest / sssp::most_buckets) {
    co_return program::complain("sssp",
                                fmt::format("--delta: expected at least {:g}, a millionth of the largest weight, "
                                            "got {:g}",
                                            largest / sssp::most_buckets, delta));
  }

  shown.begin("searching");
  co_await barrier();
  program::stopwatch watch;
  const sssp::paths found = co_await sssp::find(&graph, asked.source, largest, delta, &shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const sssp::verdict verdict = co_await sssp::inspect(&graph, asked.source, &found);
  if (verdict.endless > 0) {
    co_return program::complain(
        "sssp",
        fmt::format(
            "{}: expected distances of at most {:g}, got longer ones: {} edges lead to vertices that are farther",
            asked.from.name(), std::numeric_limits<double>::max(), verdict.endless));
  }

  program::result result;
  result.program = "sssp";
  result.input_key = "graph";
  result.input = asked.from.name();
  result.exchange = "message";
  result.verified = verdict.source && verdict.shorter == 0 && verdict.unfounded == 0;
  result.seconds = seconds;
  result.mops = static_cast<double>(found.relaxations) / seconds * 1e-6;
  result.counts.emplace_back("edges", edges);
  result.counts.emplace_back("reached", verdict.reached);
  result.counts.emplace_back("relaxations", found.relaxations);
  result.about = fmt::format("Shortest paths from vertex {} of {} ({}), a message a relaxation", asked.source,
                             graph.rows, asked.from.name());
  result.details.emplace_back("delta", fmt::format("{:g}, {} buckets", delta, found.buckets));
  result.details.emplace_back("farthest", fmt::format("{:.6g}", verdict.farthest));
  result.details.emplace_back("edges", fmt::format("{} would shorten a path", verdict.shorter));
  result.details.emplace_back("parents", fmt::format("{} do not lead where they should", verdict.unfounded));
  if (asked.dijkstra) {
    graph::sparse_rows whole;
    if (this_pe() == 0)
      whole = graph::whole(asked.from, graph::part::no_diagonal, weighted, graph::repeats::keep_least);
    const std::int64_t different = co_await sssp::compare_with_dijkstra(&whole, asked.source, &found);
    result.verified = *result.verified && different == 0;
    result.details.emplace_back("Dijkstra", fmt::format("{} distances differ", different));
  }
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> find_paths(arguments words) {
  options asked;
  program::command_line app("Shortest paths from one vertex of a directed graph to all others: the kernel sssp of bale",
                            "sssp");
  asked.from.add_options(app, "--vertices");
  app.add_option("--source", asked.source, "the vertex where all paths begin; default 0").type_name("V");
  app.add_option("--delta", asked.delta, "width of a bucket; default the largest weight divided by the mean degree")
      .positive()
      .type_name("W");
  app.add_flag("--verify", asked.dijkstra, "compare with Dijkstra's algorithm on one PE");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await run_search(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, find_paths); }
