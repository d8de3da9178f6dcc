#include <algorithm>
#include <utility>

#include "apps/channel/firing_exchange.hpp"

namespace channel {

using namespace tsubu;

namespace {

constexpr int width = 64;  // accesses that a PE awaits at a time

class shared_exchange final : public firing_exchange {
 public:
  // Collective.
  task<void> begin(const std::vector<net>* nets, protocol how) {
    shared_ = co_await create_shared_array<firing>(nets->size(), by_block(), how);
    const pe_id me = this_pe();
    for (const std::uint32_t i : nets_here(nets->size())) {
      for (const neighbour& n : (*nets)[i].neighbours) {
        if (pe_of(n.net, nets->size()) != me) needed_.push_back(n.net);
      }
    }
    std::sort(needed_.begin(), needed_.end());
    needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
  }

  // All that is written is in place for all behind the barrier, and nobody writes again before all have read.
  task<void> exchange(const std::vector<std::uint32_t>* changed, std::vector<firing>* fire) override {
    co_await for_each_in_flight(*changed, width, [this, fire](std::uint32_t i) { return write(i, &(*fire)[i]); });
    co_await barrier();
    away_.clear();
    for (const std::uint32_t i : needed_) {
      if (const firing* here = shared_[i].copy()) {
        (*fire)[i] = *here;
      } else {
        away_.push_back(i);
      }
    }
    co_await for_each_in_flight(away_, width, [this, fire](std::uint32_t i) { return read(i, &(*fire)[i]); });
  }

 private:
  task<void> write(std::uint32_t i, const firing* fire) { co_await shared_[i].write(*fire); }
  task<void> read(std::uint32_t i, firing* fire) { *fire = co_await shared_[i].read(); }

  shared_array<firing> shared_;
  std::vector<std::uint32_t> needed_;
  std::vector<std::uint32_t> away_;  // those needed of which there is no copy here
};

}  // namespace

task<std::unique_ptr<firing_exchange>> make_shared_exchange(const std::vector<net>* nets, protocol how) {
  auto made = std::make_unique<shared_exchange>();
  co_await made->begin(nets, how);
  co_return made;
}

}  // namespace channel
