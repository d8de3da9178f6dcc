// Graph500's breadth-first search on Tsubu: one message per edge, unless fewer edges are looked at from the other end.
#include <string>

#include "apps/bfs/benchmark.hpp"
#include "apps/bfs/vertex.hpp"
#include "apps/program/command_line.hpp"
#include "tsubu/tsubu.hpp"

namespace {

// Runs on every PE.
tsubu::task<int> search_graph(tsubu::arguments words) {
  bfs::options asked;
  program::command_line app("Breadth-first search: the benchmark Graph500", "bfs");
  const auto scale = app.add_option("--scale", asked.scale, "the graph has 2^N vertices; default 14");
  scale.range(1, bfs::most_bits).type_name("N");
  const auto edgefactor = app.add_option("--edgefactor", asked.edgefactor, "edges for each vertex; default 16");
  edgefactor.range(1, 1 << 20).type_name("N");
  app.add_option("--file", asked.file, "a Matrix Market file or an edge list (lines 'u v') instead of a made graph")
      .excludes(scale)
      .excludes(edgefactor)
      .type_name("FILE");
  app.add_option("--roots", asked.roots, "searches; default 64").range(1, 1 << 20).type_name("N");
  app.add_option("--seed", asked.seed, "of the graph and the choice of roots; default 1").type_name("N");
  std::string way = "either";
  app.add_option(
         "--direction", way,
         "either: upwards, with a bitmap of the frontier, where that looks at fewer edges; down: never; default "
         "either")
      .one_of({"either", "down"})
      .type_name("WAY");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  asked.way = way == "down" ? bfs::direction::down : bfs::direction::either;
  co_return co_await bfs::run_benchmark(asked);
}

}  // namespace

int main(int argc, char** argv) { return tsubu::run_spmd(argc, argv, search_graph); }
