// Weights as shared data: a tile for each PE, of those of its pages that link to any. All have read the tiles of a step
// before the next ones are written, since every PE comes to a collective in between.
#include <utility>

#include "apps/pagerank/weight_exchange.hpp"

namespace pagerank {

using namespace tsubu;

namespace {

using tile = std::vector<double>;

class shared_exchange final : public weight_exchange {
 public:
  // Collective.
  task<void> begin(links* of, protocol how) {
    const auto pes = static_cast<std::size_t>(pe_count());
    read_.resize(pes);
    tiles_ = co_await create_shared_array<tile>(pes, by_block(), how);
    const auto places = co_await create_shared_array<std::vector<vertex>>(pes, by_block(), protocol::global);
    co_await places[static_cast<std::size_t>(this_pe())].write(number_pages(of->outgoing));
    co_await barrier();
    for (std::size_t pe = 0; pe < pes; ++pe) {
      if (of->blocks[pe].to.empty()) continue;
      const std::vector<vertex> there = co_await places[pe].read();
      for (vertex& page : of->blocks[pe].from) page = there[page];
    }
    co_await places.end();
  }

  task<void> give(std::vector<double> weights) override {
    // To the front: places ascend.
    if (with_links_.size() < weights.size()) {
      for (std::size_t k = 0; k < with_links_.size(); ++k) weights[k] = weights[with_links_[k]];
      weights.resize(with_links_.size());
    }
    co_await tiles_[static_cast<std::size_t>(this_pe())].write(std::move(weights));
  }

  // The copy that is here, if the protocol keeps one: nobody writes or moves it meanwhile.
  task<const double*> take(pe_id from) override {
    const auto i = static_cast<std::size_t>(from);
    if (const tile* here = tiles_[i].copy()) co_return here->data();
    read_[i] = co_await tiles_[i].read();
    co_return read_[i].data();
  }

 private:
  // For each page its place in the tile, if it has one.
  std::vector<vertex> number_pages(const std::vector<vertex>& outgoing) {
    std::vector<vertex> places;
    for (vertex u = 0; u < outgoing.size(); ++u) {
      places.push_back(static_cast<vertex>(with_links_.size()));
      if (outgoing[u] != 0) with_links_.push_back(u);
    }
    return places;
  }

  shared_array<tile> tiles_;
  std::vector<vertex> with_links_;
  std::vector<tile> read_;  // by PE: what was no copy when it was asked for
};

}  // namespace

task<std::unique_ptr<weight_exchange>> make_shared_exchange(links* of, protocol how) {
  auto made = std::make_unique<shared_exchange>();
  co_await made->begin(of, how);
  co_return made;
}

}  // namespace pagerank
