#include "apps/channel/network.hpp"

#include <utility>

#include "apps/program/random_stream.hpp"
#include "tsubu/base/clock.hpp"

namespace channel {
namespace {

// On an MC68030, the processor of ATTEMPT-0, in its clocks; assumed. A neuron: three additions, two comparisons, and
// the loop, all in memory. A neighbour: it is looked up and counted in three places.
constexpr double clocks_of_neuron = 60;
constexpr double clocks_of_neighbour = 80;

}  // namespace

network::network(const std::vector<net>* nets, std::vector<std::uint32_t> members, int tracks, motion by,
                 std::uint64_t seed)
    : nets_(nets), members_(std::move(members)), clocks_of_update_(clocks_of_neuron * pairs * tracks) {
  neurons_.reserve(members_.size());
  for (const std::uint32_t i : members_)
    neurons_.emplace_back(tsubu::random_source(program::mixed(program::mixed(seed) + i)), tracks, by);
}

std::int64_t network::hear(const std::vector<firing>& fire) {
  std::int64_t unsettled = 0;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const std::vector<neighbour>& neighbours = (*nets_)[members_[k]].neighbours;
    for (const neighbour& n : neighbours) neurons_[k].hear(n, fire[n.net]);
    if (!neurons_[k].is_settled()) ++unsettled;
    tsubu::work(clocks_of_neighbour * static_cast<double>(neighbours.size()));
  }
  return unsettled;
}

std::vector<std::uint32_t> network::update(std::vector<firing>& fire) {
  std::vector<std::uint32_t> changed;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    if (neurons_[k].update()) {
      changed.push_back(members_[k]);
      fire[members_[k]] = neurons_[k].now();
    }
    tsubu::work(clocks_of_update_);
  }
  return changed;
}

}  // namespace channel
