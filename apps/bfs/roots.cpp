#include "apps/bfs/roots.hpp"

#include <algorithm>

#include "tsubu/base/random.hpp"
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

void keep_lowest(std::vector<lot>& lots, std::size_t wanted) {
  std::sort(lots.begin(), lots.end());
  lots.resize(std::min(lots.size(), wanted));
}

}  // namespace

task<std::vector<vertex>> choose_roots(const adjacency& g, std::size_t wanted, std::uint64_t seed) {
  const std::uint64_t first_seed = ~random_source(seed)();  // apart from the edges' seeds
  std::vector<lot> lots;
  for (vertex i = 0; i < g.own(); ++i) {
    if (g.around(i).empty()) continue;
    const vertex v = g.where.label(i, this_pe());
    lots.push_back({random_source(first_seed + v)(), v});
  }
  keep_lowest(lots, wanted);
  const std::vector<std::vector<lot>> all = co_await all_gather(lots);
  lots.clear();
  for (const auto& some : all) lots.insert(lots.end(), some.begin(), some.end());
  keep_lowest(lots, wanted);
  std::vector<vertex> roots;
  for (const lot& l : lots) roots.push_back(l.who);
  co_return roots;
}

}  // namespace bfs
