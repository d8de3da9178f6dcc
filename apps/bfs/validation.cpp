#include "apps/bfs/validation.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "apps/bfs/slices.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

// What the handlers see of the tree under test, and what they count.
struct examination {
  const search_tree* tree = nullptr;
  ownership where{1};
  std::vector<vertex> ancestor;        // of each vertex, ever further up
  std::vector<vertex> next_ancestor;   // becomes `ancestor` when a round is over
  std::vector<char> joined_to_parent;  // an edge has been seen
  std::array<std::uint64_t, checks> broken{};
  std::uint64_t traversed = 0;
};
static pe_local<examination> here;

// ---- check 1, by pointer jumping: after k rounds a vertex knows its ancestor 2^k steps up

void learn_ancestor(vertex index, vertex ancestor) { here->next_ancestor[index] = ancestor; }

void ask_ancestor(vertex index, vertex asker) {
  const examination& e = *here;
  at(e.where.owner(asker)).past<learn_ancestor>(e.where.index(asker), e.ancestor[index]);
}

// ---- check 2

void compare_with_parent(vertex parent, level depth_of_child) {
  const level depth = here->tree->depth[parent];
  if (depth == unreached || depth + 1 != depth_of_child) ++here->broken[tree_levels];
}

// ---- checks 3 to 5: an edge visits its one end, and goes on to the other with what it has seen

void visit_second_end(vertex index, vertex first_end, level first_depth) {
  examination& e = *here;
  if (e.tree->parent[index] == first_end) e.joined_to_parent[index] = true;
  const level depth = e.tree->depth[index];
  const bool leaves = (depth == unreached) != (first_depth == unreached);
  e.broken[spans_component] += leaves;
  e.broken[edge_levels] += leaves || std::abs(depth - first_depth) > 1;
  e.traversed += depth != unreached && first_depth != unreached;
}

void visit_first_end(vertex index, vertex second_end, vertex first_end) {
  examination& e = *here;
  if (e.tree->parent[index] == second_end) e.joined_to_parent[index] = true;
  at(e.where.owner(second_end)).past<visit_second_end>(e.where.index(second_end), first_end, e.tree->depth[index]);
}

namespace {

void begin(std::uint64_t vertices, vertex root, const search_tree& found) {
  examination& e = *here;
  e.tree = &found;
  e.where = ownership(pe_count());
  e.broken = {};
  e.traversed = 0;
  e.joined_to_parent.assign(found.parent.size(), false);
  e.ancestor = found.parent;
  for (vertex& ancestor : e.ancestor) {
    if (ancestor >= vertices) ancestor = nobody;
  }
  if (e.where.owner(root) == this_pe()) {
    const vertex index = e.where.index(root);
    e.broken[no_cycles] += found.parent[index] != root;
    e.broken[tree_levels] += found.depth[index] != 0;
    e.joined_to_parent[index] = true;  // it needs no edge
  }
}

bool still_climbing(vertex ancestor, vertex root) { return ancestor != root && ancestor != nobody; }

task<void> check_cycles(std::uint64_t vertices, vertex root) {
  examination& e = *here;
  const auto own = static_cast<vertex>(e.ancestor.size());
  // Twice as far in each round, so these reach from one end of the longest path to the other.
  for (auto rounds = std::bit_width(vertices); rounds > 0; --rounds) {
    const auto climbing = [&](vertex ancestor) { return still_climbing(ancestor, root); };
    const bool done = std::none_of(e.ancestor.begin(), e.ancestor.end(), climbing);
    // Nobody leaves the reduction, and asks, before all have begun, and before all have ended the round before.
    if (co_await all_reduce(done, reduce::all)) break;
    e.next_ancestor = e.ancestor;
    for (vertex i = 0; i < own; ++i) {
      const vertex above = e.ancestor[i];
      if (still_climbing(above, root)) {
        at(e.where.owner(above)).past<ask_ancestor>(e.where.index(above), e.where.label(i, this_pe()));
      }
      if (i % 1000 == 999) co_await room_everywhere();
    }
    co_await quiescence();
    e.ancestor.swap(e.next_ancestor);
  }
  for (vertex i = 0; i < own; ++i) {
    e.broken[no_cycles] += e.tree->parent[i] != nobody && e.ancestor[i] != root;
  }
}

// Its messages need not have come before those of check_edges leave.
task<void> check_tree_levels(std::uint64_t vertices, vertex root) {
  examination& e = *here;
  const auto own = static_cast<vertex>(e.tree->parent.size());
  for (vertex i = 0; i < own; ++i) {
    const vertex parent = e.tree->parent[i];
    e.broken[tree_levels] += (parent == nobody) != (e.tree->depth[i] == unreached);
    if (parent < vertices && e.where.label(i, this_pe()) != root) {
      at(e.where.owner(parent)).past<compare_with_parent>(e.where.index(parent), e.tree->depth[i]);
    }
    if (i % 1000 == 999) co_await room_everywhere();
  }
}

void send_edges(std::span<const edge> edges, const ownership where) {
  for (const auto [from, to] : edges) at(where.owner(from)).past<visit_first_end>(where.index(from), to, from);
}

task<void> check_edges(std::span<const edge> edges) {
  examination& e = *here;
  for (const auto some : slices(edges)) {
    send_edges(some, e.where);
    co_await room_everywhere();
  }
  co_await quiescence();
  for (std::size_t i = 0; i < e.joined_to_parent.size(); ++i) {
    e.broken[tree_in_graph] += e.tree->parent[i] != nobody && !e.joined_to_parent[i];
  }
}

}  // namespace

task<verdict> validate(std::uint64_t vertices, std::span<const edge> edges, vertex root, const search_tree& found) {
  begin(vertices, root, found);
  co_await check_cycles(vertices, root);
  co_await check_tree_levels(vertices, root);
  co_await check_edges(edges);

  const examination& e = *here;
  std::vector<std::uint64_t> sums(e.broken.begin(), e.broken.end());
  sums.push_back(e.traversed);
  sums = co_await all_reduce(sums, reduce::plus);
  verdict v;
  std::copy_n(sums.begin(), checks, v.broken.begin());
  v.traversed = sums.back();
  co_return v;
}

}  // namespace bfs
