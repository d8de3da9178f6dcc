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

// What a step upwards computes, for simulated machines, in clocks: for each vertex that is not reached yet, each
// neighbour that is looked for, and each vertex that is reached so. Fitted to seven steps of one PE at scale 15, of
// which five are within 10 %; at scale 18, which no cache holds, a step takes up to 1.6 times as long.
constexpr double clocks_of_vertex = 40, clocks_of_look = 8, clocks_of_visit = 45;

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

task<void> go_down(const adjacency& g, const std::vector<vertex>& frontier) {
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

// A bit for each vertex, by PE and own index.
class bitmap {
 public:
  using word = std::uint64_t;
  static constexpr std::size_t bits = 64;

  explicit bitmap(std::vector<std::vector<word>> of_pes) : of_pes_(std::move(of_pes)) {}

  bool holds(pe_id pe, vertex index) const {
    return (of_pes_[static_cast<std::size_t>(pe)][index / bits] >> (index % bits) & 1) != 0;
  }

 private:
  std::vector<std::vector<word>> of_pes_;
};

task<void> go_up(const adjacency& g, const std::vector<vertex>& frontier) {
  std::vector<bitmap::word> own(g.own() / bitmap::bits + 1);
  for (const vertex index : frontier) own[index / bitmap::bits] |= bitmap::word{1} << (index % bitmap::bits);
  const bitmap in_frontier(co_await all_gather(std::move(own)));

  wave& w = *here;
  std::size_t unreached_here = 0, looks = 0;
  for (vertex index = 0; index < g.own(); ++index) {
    if (w.parent[index] != nobody) continue;
    ++unreached_here;
    for (const vertex v : g.around(index)) {
      ++looks;
      if (!in_frontier.holds(g.where.owner(v), g.where.index(v))) continue;
      visit(index, v);
      break;
    }
  }
  work(clocks_of_vertex * static_cast<double>(unreached_here) + clocks_of_look * static_cast<double>(looks) +
       clocks_of_visit * static_cast<double>(w.reached.size()));
}

// What all PEs know at the beginning of a step.
struct extent {
  std::uint64_t vertices = 0;         // of the frontier
  std::uint64_t edges = 0;            // that leave it
  std::uint64_t unreached_edges = 0;  // of vertices that are not reached
};
constexpr auto add = [](const extent& a, const extent& b) {
  return extent{a.vertices + b.vertices, a.edges + b.edges, a.unreached_edges + b.unreached_edges};
};

// Whether the next step goes upwards. Costs are counted in looks at a neighbour: a message takes as long as 14 of them,
// and a quiescence, which ends a step downwards, 10,000 more on each PE than what upwards gathers the bitmap.
bool turns_up(const extent& now, std::uint64_t vertices) {
  constexpr std::uint64_t of_message = 14, of_quiescence = 10'000;
  const std::uint64_t down = of_message * now.edges + of_quiescence * static_cast<std::uint64_t>(pe_count());
  return now.unreached_edges + vertices < down;
}

}  // namespace

task<void> search(const adjacency& g, vertex root, direction way, search_tree& found) {
  wave& w = *here;
  w.parent.swap(found.parent);
  w.parent.assign(g.own(), nobody);
  found.depth.assign(g.own(), unreached);
  if (g.where.owner(root) == this_pe()) visit(g.where.index(root), root);

  const bool may_go_up = way == direction::either && g.vertices / 8 <= most_bitmap_bytes;
  std::uint64_t unreached_edges = g.neighbours.size();
  std::vector<vertex> frontier;
  for (level depth = 0;; ++depth) {
    frontier.swap(w.reached);
    w.reached.clear();
    extent own{frontier.size(), 0, 0};
    for (const vertex index : frontier) {
      found.depth[index] = depth;
      own.edges += g.around(index).size();
    }
    own.unreached_edges = unreached_edges -= own.edges;
    // Nobody leaves the reduction, and sends, before all have made room for the next step above.
    const extent all = co_await all_reduce(own, add);
    if (all.vertices == 0) break;
    if (may_go_up && turns_up(all, g.vertices)) {
      co_await go_up(g, frontier);
    } else {
      co_await go_down(g, frontier);
    }
  }
  w.parent.swap(found.parent);
}

}  // namespace bfs
