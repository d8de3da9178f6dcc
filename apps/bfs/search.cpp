#include "apps/bfs/search.hpp"

#include "apps/bfs/slices.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

struct wave {
  std::vector<vertex> parent;   // by own index
  std::vector<vertex> reached;  // own indices, in this step
};
static pe_local<wave> here;

// The first to come is the parent.
void visit(vertex index, vertex from) {
  wave& w = *here;
  if (w.parent[index] != nobody) return;
  w.parent[index] = from;
  w.reached.push_back(index);
}

namespace {

void visit_all(std::span<const vertex> neighbours, vertex from, const ownership where) {
  for (const vertex v : neighbours) at(where.owner(v)).past<visit>(where.index(v), from);
}

// Asks the memory for the lists that are needed a little later; they lie anywhere. (Not inlined, it has no effect that
// g++ knows of, and its call is dropped.)
[[gnu::always_inline]] inline void prefetch(const adjacency& g, std::span<const vertex> frontier, std::size_t i) {
  constexpr std::size_t ahead = 8;
  if (i + 2 * ahead >= frontier.size()) return;
  __builtin_prefetch(&g.first[frontier[i + 2 * ahead]]);
  const vertex* list = &g.neighbours[g.first[frontier[i + ahead]]];
  __builtin_prefetch(list);
  __builtin_prefetch(list + 64 / sizeof(vertex));
}

}  // namespace

task<void> search(const adjacency& g, vertex root, search_tree& found) {
  wave& w = *here;
  w.parent.swap(found.parent);
  w.parent.assign(g.own(), nobody);
  found.depth.assign(g.own(), unreached);
  if (g.where.owner(root) == this_pe()) visit(g.where.index(root), root);

  std::vector<vertex> frontier;
  for (level depth = 0;; ++depth) {
    frontier.swap(w.reached);
    w.reached.clear();
    for (const vertex index : frontier) found.depth[index] = depth;
    // Nobody leaves the reduction, and sends, before all have made room for the next step above.
    const std::size_t reached_here = frontier.size();
    if (co_await all_reduce(reached_here, reduce::plus) == 0) break;
    std::size_t sent = 0;
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      prefetch(g, frontier, i);
      const vertex index = frontier[i];
      const vertex from = g.where.label(index, this_pe());
      for (const auto some : slices(g.around(index))) {
        visit_all(some, from, g.where);
        if ((sent += some.size()) < slices<const vertex>::length) continue;
        sent = 0;
        co_await room_everywhere();
      }
    }
    co_await quiescence();
  }
  w.parent.swap(found.parent);
}

}  // namespace bfs
