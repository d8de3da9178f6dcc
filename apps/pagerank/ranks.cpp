#include "apps/pagerank/ranks.hpp"

#include <cmath>
#include <utility>

namespace pagerank {

using namespace tsubu;

namespace {

// A link on an MC68030 with an MC68882: an addition and the loop. Assumed.
constexpr double clocks_of_link = 100;

// What each page gives to those that it links to; and the sum of what pages without links have.
std::pair<std::vector<double>, double> weights_of(const std::vector<double>& rank,
                                                  const std::vector<vertex>& outgoing) {
  std::vector<double> weights(rank.size());
  double without_links = 0;
  for (std::size_t u = 0; u < rank.size(); ++u) {
    if (outgoing[u] == 0) {
      without_links += rank[u];
    } else {
      weights[u] = rank[u] / outgoing[u];
    }
  }
  return {std::move(weights), without_links};
}

// The new ranks, in the place of the sums of weights; gives the sum of all changes.
double take_sums(const rules& by, double without_links, double pages, std::vector<double>& sums,
                 std::vector<double>& rank) {
  const double base = (1 - by.damping) / pages + by.damping * without_links / pages;
  double change = 0;
  for (std::size_t v = 0; v < rank.size(); ++v) {
    const double now = base + by.damping * sums[v];
    change += std::abs(now - rank[v]);
    rank[v] = now;
    sums[v] = 0;
  }
  return change;
}

bool go_on(const ranking& so_far, const rules& by) {
  return so_far.steps < by.steps && (by.tolerance == 0 || so_far.change > by.tolerance);
}

}  // namespace

task<ranking> rank_pages(const links* of, weight_exchange* exchange, rules by, program::progress* shown) {
  const pe_id me = this_pe(), pes = pe_count();
  ranking found;
  found.rank.assign(of->pages_here(), 1.0 / of->pages);
  std::vector<double> sums(of->pages_here());
  while (go_on(found, by)) {
    auto [weights, without_links_here] = weights_of(found.rank, of->outgoing);
    co_await exchange->give(std::move(weights));
    const double without_links = co_await all_reduce(without_links_here, reduce::plus);
    for (pe_id i = 0; i < pes; ++i) {
      const pe_id from = (me + i) % pes;
      const link_block& block = of->blocks[static_cast<std::size_t>(from)];
      if (block.to.empty()) continue;
      const double* taken = co_await exchange->take(from);
      add_weights(block, taken, sums.data());
      work(clocks_of_link * static_cast<double>(block.from.size()));
    }
    const double change_here = take_sums(by, without_links, of->pages, sums, found.rank);
    found.change = co_await all_reduce(change_here, reduce::plus);
    shown->step("step", ++found.steps, by.steps);
  }
  co_return found;
}

ranking rank_alone(const graph::sparse_rows& graph, rules by) {
  ranking found;
  found.rank.assign(graph.rows, 1.0 / graph.rows);
  while (go_on(found, by)) {
    std::vector<double> next(graph.rows, 0.0);
    double everywhere = 1 - by.damping;
    for (vertex u = 0; u < graph.rows; ++u) {
      const auto to = graph.columns_of(u);
      if (to.empty()) everywhere += by.damping * found.rank[u];
      for (const vertex v : to) next[v] += by.damping * found.rank[u] / static_cast<double>(to.size());
    }
    found.change = 0;
    for (vertex v = 0; v < graph.rows; ++v) {
      next[v] += everywhere / graph.rows;
      found.change += std::abs(next[v] - found.rank[v]);
    }
    found.rank = std::move(next);
    ++found.steps;
  }
  return found;
}

}  // namespace pagerank
