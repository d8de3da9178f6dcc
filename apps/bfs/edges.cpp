#include "apps/bfs/edges.hpp"

#include <fstream>
#include <utility>

#include "apps/graph/matrix_file.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

static pe_local<std::vector<edge>> arrived;

void keep_edge(vertex from, vertex to) { arrived->push_back({from, to}); }

edge_list make_edges(const kronecker& graph) {
  edge_list list;
  list.vertices = graph.vertices();
  list.edges = graph.edges();
  const auto pes = static_cast<std::uint64_t>(pe_count()), me = static_cast<std::uint64_t>(this_pe());
  list.here.reserve(list.edges / pes + 1);
  for (std::uint64_t number = me; number < list.edges; number += pes) list.here.push_back(graph.edge_at(number));
  return list;
}

namespace {

struct outcome {
  std::string trouble;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
};

// PE 0 only.
task<outcome> read_and_deal(std::string file) {
  outcome result;
  try {
    std::ifstream stream = text::open_file(file);
    graph::file_rules rules;
    rules.square = true;
    graph::matrix_file in(stream, file, rules);
    while (const auto found = in.next()) {
      if (in.symmetric() && found->column > found->row) continue;  // the same edge again
      const auto to = static_cast<pe_id>(result.edges++ % static_cast<std::uint64_t>(pe_count()));
      at(to).past<keep_edge>(found->row, found->column);
      if (result.edges % 1000 == 0) co_await room_everywhere();
    }
    result.vertices = in.rows();
  } catch (const text::file_error& error) {
    result.trouble = error.what();
  }
  co_return result;
}

}  // namespace

task<edge_list> read_edges(std::string file) {
  outcome read;
  if (this_pe() == 0) read = co_await read_and_deal(file);
  co_await quiescence();
  edge_list list;
  list.trouble = co_await broadcast(read.trouble);
  list.vertices = co_await broadcast(read.vertices);
  list.edges = co_await broadcast(read.edges);
  list.here = std::exchange(*arrived, {});
  co_return list;
}

}  // namespace bfs
