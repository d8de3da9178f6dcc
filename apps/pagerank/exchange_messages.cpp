// Weights by hand. Each PE tells the others once which of their pages link to its own; in each step these weights are
// packed for it and written into its memory, which is told. One place for them is enough: before the next
// step every PE comes to a collective behind its sums.
#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "apps/pagerank/weight_exchange.hpp"

namespace pagerank {

using namespace tsubu;

// By PE: its weights of a step are here.
static pe_local<std::deque<tsubu::sync<int>>> weights_in;

// Runs when the weights are in place.
void weights_are_written(pe_id by) { (*weights_in)[pe_index(by)].write(1); }

namespace {

// The pages that a block has links from, each once; and the block counts them instead.
std::vector<vertex> pack(link_block& block) {
  std::vector<vertex> pages = block.from;
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  for (vertex& page : block.from) {
    page = static_cast<vertex>(std::lower_bound(pages.begin(), pages.end(), page) - pages.begin());
  }
  return pages;
}

// What one PE needs of this one, and where.
struct destination {
  std::vector<vertex> pages;
  std::vector<double> packed;
  global_ptr<double> landing;
};

class message_exchange final : public weight_exchange {
 public:
  ~message_exchange() override { unshare(memory_); }

  // Collective.
  task<void> begin(links* of) {
    const auto pes = static_cast<std::size_t>(pe_count()), me = static_cast<std::size_t>(this_pe());
    while (weights_in->size() < pes) weights_in->emplace_back();
    std::vector<std::vector<vertex>> needed(pes);
    std::size_t places = 0;
    for (std::size_t pe = 0; pe < pes; ++pe) {
      first_.push_back(places);
      if (pe == me) continue;
      needed[pe] = pack(of->blocks[pe]);
      places += needed[pe].size();
    }
    in_.resize(std::max<std::size_t>(places, 1));
    memory_ = share(std::span(in_));
    std::vector<global_ptr<double>> landing;
    for (const std::size_t first : first_) landing.push_back(memory_ + first);
    std::vector<std::vector<vertex>> pages = co_await all_to_all(std::move(needed));
    const std::vector<global_ptr<double>> where = co_await all_to_all(std::move(landing));
    for (std::size_t pe = 0; pe < pes; ++pe) {
      const std::size_t count = pages[pe].size();
      to_.push_back({std::move(pages[pe]), std::vector<double>(count), where[pe]});
    }
  }

  task<void> give(std::vector<double> weights) override {
    own_ = std::move(weights);
    const pe_id me = this_pe(), pes = pe_count();
    // Each PE begins with the next one, so that not all write to the same.
    for (pe_id i = 1; i < pes; ++i) {
      const pe_id pe = (me + i) % pes;
      destination& to = to_[static_cast<std::size_t>(pe)];
      if (to.pages.empty()) continue;
      for (std::size_t k = 0; k < to.pages.size(); ++k) to.packed[k] = own_[to.pages[k]];
      spawn(write(to));
    }
    flush();
    co_return;
  }

  task<const double*> take(pe_id from) override {
    if (from == this_pe()) co_return own_.data();
    co_await (*weights_in)[static_cast<std::size_t>(from)].read();
    co_return &in_[first_[static_cast<std::size_t>(from)]];
  }

 private:
  static task<void> write(const destination& to) {
    co_await to.landing.write(to.packed).notify<weights_are_written>(this_pe());
  }

  std::vector<double> own_;
  std::vector<double> in_;          // what came
  std::vector<std::size_t> first_;  // by PE: where its weights are there
  global_ptr<double> memory_;
  std::vector<destination> to_;  // by PE
};

}  // namespace

task<std::unique_ptr<weight_exchange>> make_message_exchange(links* of) {
  auto made = std::make_unique<message_exchange>();
  co_await made->begin(of);
  co_await barrier();
  co_return made;
}

}  // namespace pagerank
