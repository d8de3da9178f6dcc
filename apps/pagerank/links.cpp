#include "apps/pagerank/links.hpp"

#include "apps/graph/transpose.hpp"

namespace pagerank {

using namespace tsubu;

void add_weights(const link_block& block, const double* weights, double* sums) {
  for (std::size_t k = 0; k < block.to.size(); ++k) {
    double sum = 0;
    for (std::uint64_t i = block.start[k]; i < block.start[k + 1]; ++i) sum += weights[block.from[i]];
    sums[block.to[k]] += sum;
  }
}

task<links> make_links(const graph::sparse_rows* graph, program::progress* shown) {
  const graph::sparse_rows incoming = co_await graph::transpose(graph, shown);
  links made;
  made.share = graph->share;
  made.pages = graph->rows;
  for (vertex u = 0; u < graph->local_rows(); ++u) {
    made.outgoing.push_back(static_cast<vertex>(graph->start[u + 1] - graph->start[u]));
  }
  made.blocks.resize(made.share.pes);
  for (vertex v = 0; v < incoming.local_rows(); ++v) {
    for (std::uint64_t k = incoming.start[v]; k < incoming.start[v + 1]; ++k) {
      const vertex u = incoming.column[k];
      link_block& block = made.blocks[static_cast<std::size_t>(made.share.owner(u))];
      if (block.to.empty() || block.to.back() != v) {
        block.to.push_back(v);
        block.start.push_back(block.start.back());
      }
      block.from.push_back(made.share.local(u));
      ++block.start.back();
    }
  }
  co_return made;
}

}  // namespace pagerank
