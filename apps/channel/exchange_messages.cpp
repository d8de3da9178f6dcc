// Two PEs that have neighbours of each other's nets send each other a message after each iteration, with what has
// changed of those nets. It may be empty: so each knows when it has heard all.
#include <deque>
#include <set>
#include <utility>

#include "apps/channel/firing_exchange.hpp"

namespace channel {

using namespace tsubu;

using changes = std::vector<std::pair<std::uint32_t, firing>>;

// By PE, what came from there.
static pe_local<std::deque<tsubu::sync<changes>>> changes_in;

void take_changes(pe_id by, changes of_its_nets) {
  (*changes_in)[static_cast<std::size_t>(by)].write(std::move(of_its_nets));
}

namespace {

class message_exchange final : public firing_exchange {
 public:
  explicit message_exchange(const std::vector<net>& nets) : listeners_(nets.size()) {
    while (changes_in->size() < static_cast<std::size_t>(pe_count())) changes_in->emplace_back();
    const pe_id me = this_pe();
    std::set<pe_id> partners;
    for (const std::uint32_t i : nets_here(nets.size())) {
      std::set<pe_id> of_net;
      for (const neighbour& n : nets[i].neighbours) of_net.insert(pe_of(n.net, nets.size()));
      of_net.erase(me);
      listeners_[i].assign(of_net.begin(), of_net.end());
      partners.insert(of_net.begin(), of_net.end());
    }
    partners_.assign(partners.begin(), partners.end());
    to_.resize(static_cast<std::size_t>(pe_count()));
  }

  task<void> exchange(const std::vector<std::uint32_t>* changed, std::vector<firing>* fire) override {
    for (const std::uint32_t i : *changed) {
      for (const pe_id pe : listeners_[i]) to_[static_cast<std::size_t>(pe)].emplace_back(i, (*fire)[i]);
    }
    for (const pe_id pe : partners_)
      at(pe).past<take_changes>(this_pe(), std::exchange(to_[static_cast<std::size_t>(pe)], {}));
    flush();
    for (const pe_id pe : partners_) {
      changes of_its_nets = co_await (*changes_in)[static_cast<std::size_t>(pe)].read();
      for (auto& [net, fires] : of_its_nets) (*fire)[net] = std::move(fires);
    }
  }

 private:
  std::vector<std::vector<pe_id>> listeners_;  // by net of this PE: the PEs of its neighbours
  std::vector<pe_id> partners_;                // all of them; being a neighbour is mutual, so they send, too
  std::vector<changes> to_;                    // by PE
};

}  // namespace

std::unique_ptr<firing_exchange> make_message_exchange(const std::vector<net>& nets) {
  return std::make_unique<message_exchange>(nets);
}

}  // namespace channel
