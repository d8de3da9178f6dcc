// Promise: the validation accepts a breadth-first tree, and each of its five checks objects to the mistake it is for.
// Method: a ring of six vertices with the tree from vertex 0, an edge apart from it, a repeated edge and self-loops;
// then the tree is damaged in one place, and what each check counts is compared with what is counted by hand.
#include <array>
#include <vector>

#include "apps/bfs/validation.hpp"
#include "tests/programs/expect.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using bfs::nobody, bfs::unreached;

constexpr bfs::vertex vertices = 9;
constexpr std::array<bfs::edge, 11> edges = {
    {{0, 1}, {2, 1}, {2, 3}, {3, 4}, {5, 4}, {5, 0}, {6, 7}, {2, 3}, {4, 4}, {7, 7}, {8, 8}}};
constexpr std::uint64_t edges_of_ring = 8;

// By vertex.
struct whole_tree {
  std::vector<bfs::vertex> parent{0, 0, 1, 2, 5, 0, nobody, nobody, nobody};
  std::vector<bfs::level> depth{0, 1, 2, 3, 2, 1, unreached, unreached, unreached};
};

using counts = std::array<std::uint64_t, bfs::checks>;

// Validates it as a tree from vertex 0. Collective.
task<bfs::verdict> examine(whole_tree tree) {
  const bfs::ownership where(pe_count());
  bfs::search_tree own;
  for (bfs::vertex v = 0; v < vertices; ++v) {
    if (where.owner(v) != this_pe()) continue;
    own.parent.push_back(tree.parent[v]);
    own.depth.push_back(tree.depth[v]);
  }
  std::vector<bfs::edge> own_edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (static_cast<pe_id>(e) % pe_count() == this_pe()) own_edges.push_back(edges[e]);
  }
  co_return co_await bfs::validate(vertices, own_edges, 0, own);
}

task<void> expect_broken(whole_tree tree, counts wanted, const char* what) {
  const bfs::verdict v = co_await examine(std::move(tree));
  for (std::size_t c = 0; c < bfs::checks; ++c) {
    expect_equal(v.broken[c], wanted[c],
                 std::string(what) + ": number of times that " + std::string(bfs::complaints[c]));
  }
  expect(v.good() == (wanted == counts{}), what);
}

task<int> program(arguments) {
  const bfs::verdict right = co_await examine(whole_tree());
  expect(right.good(), "the tree to be accepted");
  expect_equal(right.traversed, edges_of_ring, "number of edges in the component");

  whole_tree cycle;  // 2 and 3 are each other's parents
  cycle.parent[2] = 3;
  const counts cycle_counts{2, 1, 0, 0, 0};
  co_await expect_broken(cycle, cycle_counts, "a cycle");

  whole_tree flat;  // 3 is as deep as its parent
  flat.depth[3] = 2;
  const counts flat_counts{0, 1, 0, 0, 0};
  co_await expect_broken(flat, flat_counts, "a wrong level");

  whole_tree long_way;  // all the way round, with the right levels of that: a tree, but not breadth-first
  long_way.parent = {0, 0, 1, 2, 3, 4, nobody, nobody, nobody};
  long_way.depth = {0, 1, 2, 3, 4, 5, unreached, unreached, unreached};
  const counts long_counts{0, 0, 1, 0, 0};
  co_await expect_broken(long_way, long_counts, "a tree that is not the shortest");

  whole_tree short_of_one;  // 3 is left out; three edges lead to it
  short_of_one.parent[3] = nobody;
  short_of_one.depth[3] = unreached;
  const counts short_counts{0, 0, 3, 3, 0};
  co_await expect_broken(short_of_one, short_counts, "a vertex left out");

  whole_tree bridge;  // 1 and 4 are on the right levels, but not neighbours
  bridge.parent[4] = 1;
  const counts bridge_counts{0, 0, 0, 0, 1};
  co_await expect_broken(bridge, bridge_counts, "a parent that is no neighbour");

  whole_tree lost_root;  // 0 is below 1
  lost_root.parent[0] = 1;
  lost_root.depth[0] = 2;
  const counts lost_counts{1, 3, 0, 0, 0};
  co_await expect_broken(lost_root, lost_counts, "a root that is not its own parent");

  whole_tree wild;  // a parent that does not exist
  wild.parent[3] = 1000;
  const counts wild_counts{1, 0, 0, 0, 1};
  co_await expect_broken(wild, wild_counts, "a parent out of range");

  whole_tree nothing;  // the root is not reached either
  nothing.parent.assign(vertices, nobody);
  nothing.depth.assign(vertices, unreached);
  const counts nothing_counts{1, 1, 0, 0, 0};
  co_await expect_broken(nothing, nothing_counts, "no tree");
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
