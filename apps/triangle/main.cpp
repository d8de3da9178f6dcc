// bale's triangle counting on Tsubu.
#include <fmt/core.h>
#include <optional>

#include "apps/graph/load.hpp"
#include "apps/graph/transpose.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "apps/triangle/counter.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

constexpr graph::file_rules undirected{.fold = true};

struct options {
  graph::input from{.rows = 100'000, .degree = 30, .file = {}};
  std::string kind = "random";
  bool serially = false;
  bool json = false;

  std::string name() const { return kind == "random" ? from.name() : fmt::format("{}, {} vertices", kind, from.rows); }
};

// Leaves the edges between odd and even vertices.
void make_bipartite(graph::sparse_rows& lower) {
  std::vector<graph::entry> kept;
  for (graph::vertex local = 0; local < lower.local_rows(); ++local) {
    const graph::vertex row = lower.share.global(local);
    for (const graph::vertex column : lower.columns_of(local))
      if ((row + column) % 2 == 1) kept.push_back({row, column, 1});
  }
  lower = graph::assemble(lower.share, lower.rows, lower.columns, std::move(kept), graph::repeats::add);
}

// How many there must be, where that is known.
std::optional<std::int64_t> known_count(const options& asked) {
  const std::int64_t n = asked.from.rows;
  if (asked.kind == "complete") return n * (n - 1) * (n - 2) / 6;
  if (asked.kind == "bipartite") return 0;
  return std::nullopt;
}

// Runs on every PE.
task<int> run_count(options asked) {
  program::progress shown("triangle");
  shown.begin("making the graph");
  graph::loaded given =
      co_await graph::load(asked.from, graph::part::strictly_lower, undirected, graph::repeats::keep_least, &shown);
  if (!given.trouble.empty()) co_return program::complain("triangle", given.trouble);
  graph::sparse_rows lower = std::move(given.rows);
  if (asked.kind == "bipartite") make_bipartite(lower);

  co_await barrier();
  program::stopwatch watch;
  const triangle::tally found = co_await triangle::count(&lower, triangle::corner::highest, &shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  graph::sparse_rows upper = co_await graph::transpose(&lower, &shown);
  graph::sort_rows(upper);
  const triangle::tally again = co_await triangle::count(&upper, triangle::corner::lowest, &shown);
  const auto edges = co_await all_reduce(static_cast<std::int64_t>(lower.nonzeros()), reduce::plus);

  program::result result;
  result.verified = again.triangles == found.triangles;
  result.details.emplace_back("again", fmt::format("{} from the lowest corner", again.triangles));
  if (const auto known = known_count(asked)) {
    result.verified = *result.verified && found.triangles == *known;
    result.details.emplace_back("must be", std::to_string(*known));
  }
  if (asked.serially) {
    std::int64_t serial = 0;
    if (this_pe() == 0) {
      graph::sparse_rows whole =
          graph::whole(asked.from, graph::part::strictly_lower, undirected, graph::repeats::keep_least);
      if (asked.kind == "bipartite") make_bipartite(whole);
      serial = triangle::count_serially(whole);
    }
    serial = co_await broadcast(serial);
    result.verified = *result.verified && found.triangles == serial;
    result.details.emplace_back("serially", std::to_string(serial));
  }

  result.program = "triangle";
  result.input_key = "graph";
  result.input = asked.name();
  result.exchange = "message";
  result.seconds = seconds;
  result.mops = static_cast<double>(found.wedges) / seconds * 1e-6;
  result.counts.emplace_back("edges", edges);
  result.counts.emplace_back("wedges", found.wedges);
  result.counts.emplace_back("triangles", found.triangles);
  result.about = fmt::format("Triangles of a graph of {} vertices ({}), a message a wedge", lower.rows, asked.name());
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> count_triangles(arguments words) {
  options asked;
  program::command_line app("Counts the triangles of an undirected graph: the kernel triangle of bale", "triangle");
  asked.from.add_options(app, "--vertices");
  app.add_option("--graph", asked.kind, "random (default), complete or bipartite (complete between odd and even)")
      .one_of({"random", "complete", "bipartite"})
      .excludes(app.named("--file"))
      .type_name("KIND");
  app.add_flag("--verify", asked.serially, "count once more on one PE, without messages");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  if (asked.kind != "random") asked.from.degree = asked.from.rows;
  co_return co_await run_count(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, count_triangles); }
