#include "apps/bfs/benchmark.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "apps/bfs/edges.hpp"
#include "apps/bfs/roots.hpp"
#include "apps/bfs/search.hpp"
#include "apps/bfs/summary.hpp"
#include "apps/bfs/validation.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

namespace {

// The time of a part of the run before the searches, in which all PEs take part: of the slowest.
class stopwatch {
 public:
  task<void> start() {
    co_await barrier();
    start_ns_ = now_ns();
  }
  // Collective; the same on every PE.
  task<double> seconds() const { return all_reduce(static_cast<double>(now_ns() - start_ns_) * 1e-9, reduce::max); }

 private:
  std::int64_t start_ns_ = 0;
};

// What is measured of all searches.
struct measurements {
  std::vector<double> seconds;
  std::vector<double> edges;
  std::vector<double> teps;  // traversed edges per second
  std::array<std::uint64_t, checks> broken{};
};

void add(program::result& to, const std::string& what, const std::string& mean, const summary& s) {
  constexpr std::array<const char*, 5> names = {"min", "firstquartile", "median", "thirdquartile", "max"};
  for (std::size_t q = 0; q < names.size(); ++q) to.figures.emplace_back(names[q] + ("_" + what), s.quartiles[q]);
  to.figures.emplace_back(mean + "mean_" + what, s.mean);
  to.figures.emplace_back(mean + "stddev_" + what, s.deviation);
}

program::result describe(const options& asked, const edge_list& list, const measurements& all) {
  const bool made = asked.file.empty();
  program::result r;
  r.program = "bfs";
  r.input_key = "graph";
  r.input = made ? fmt::format("kronecker {}", asked.scale) : asked.file;
  r.exchange = asked.way == direction::down ? "edge" : "edge or bitmap";
  r.verified = all.broken == std::array<std::uint64_t, checks>{};
  r.about = fmt::format("Graph500 breadth-first search: {}, {} searches",
                        made ? fmt::format("Kronecker graph, seed {}", asked.seed) : asked.file, all.seconds.size());
  for (std::size_t c = 0; c < checks; ++c) {
    if (all.broken[c] != 0) r.details.emplace_back("wrong", fmt::format("{} {}", all.broken[c], complaints[c]));
  }
  if (made) {
    r.counts.emplace_back("SCALE", asked.scale);
    r.counts.emplace_back("EDGEFACTOR", asked.edgefactor);
  }
  r.counts.emplace_back("NVERTS", static_cast<std::int64_t>(list.vertices));
  r.counts.emplace_back("NEDGES", static_cast<std::int64_t>(list.edges));
  r.counts.emplace_back("NBFS", static_cast<std::int64_t>(all.seconds.size()));
  return r;
}

}  // namespace

task<int> run_benchmark(options asked) {
  program::progress shown("bfs");
  stopwatch watch;
  co_await watch.start();

  shown.begin("making the edges");
  edge_list list;
  if (asked.file.empty()) {
    list = make_edges(kronecker(asked.scale, asked.edgefactor, asked.seed));
  } else {
    list = co_await read_edges(asked.file);
    if (!list.trouble.empty()) co_return program::complain("bfs", list.trouble);
  }
  const double generation = co_await watch.seconds();

  shown.begin("building the graph");
  co_await watch.start();
  const adjacency g = co_await make_adjacency(list.vertices, list.here);
  const double construction = co_await watch.seconds();

  measurements all;
  search_tree found;
  const std::vector<vertex> roots = co_await choose_roots(g, asked.roots, asked.seed);
  if (roots.empty()) co_return program::complain("bfs", "the graph has no edge between two vertices");
  for (const vertex root : roots) {
    co_await barrier();
    program::stopwatch of_search;
    co_await search(g, root, asked.way, found);
    all.seconds.push_back(co_await all_reduce(of_search.seconds(), reduce::max));
    const verdict v = co_await validate(list.vertices, list.here, root, found);
    for (std::size_t c = 0; c < checks; ++c) all.broken[c] += v.broken[c];
    all.edges.push_back(static_cast<double>(v.traversed));
    all.teps.push_back(all.edges.back() / all.seconds.back());
    shown.step("search", static_cast<std::int64_t>(all.teps.size()), static_cast<std::int64_t>(roots.size()));
  }

  program::result result = describe(asked, list, all);
  result.figures.emplace_back("generation_time", generation);
  result.figures.emplace_back("construction_time", construction);
  for (const double s : all.seconds) result.seconds += s;
  add(result, "time", "", summarise(all.seconds));
  add(result, "nedge", "", summarise(all.edges));
  add(result, "TEPS", "harmonic_", summarise_rates(all.teps));
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

}  // namespace bfs
