#include "apps/bfs/roots.hpp"

#include <functional>
#include <utility>

#include "tsubu/base/random.hpp"
#include "tsubu/containers/top_k.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

namespace {

// Every vertex draws a lot; the lowest lots of all are a sample without repetition.
struct lot {
  std::uint64_t drawn;
  vertex who;
  friend auto operator<=>(const lot&, const lot&) = default;
};

}  // namespace

task<std::vector<vertex>> choose_roots(const adjacency& g, std::size_t wanted, std::uint64_t seed) {
  const std::uint64_t first_seed = ~random_source(seed)();  // apart from the edges' seeds
  std::vector<lot> lots;
  for (vertex i = 0; i < g.own(); ++i) {
    if (g.around(i).empty()) continue;
    const vertex v = g.where.label(i, this_pe());
    lots.push_back({random_source(first_seed + v)(), v});
  }
  lots = co_await top_k(std::move(lots), wanted, std::less<>());
  std::vector<vertex> roots;
  for (const lot& l : lots) roots.push_back(l.who);
  co_return roots;
}

}  // namespace bfs
