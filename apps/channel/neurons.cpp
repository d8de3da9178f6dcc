#include "apps/channel/neurons.hpp"

#include <algorithm>
#include <utility>

namespace channel {
net_neurons::net_neurons(tsubu::random_source random, int tracks, motion by)
    : by_(by),
      random_(random),
      neurons_(static_cast<std::size_t>(tracks) * pairs),
      potential_(neurons_),
      conflicts_(neurons_),
      from_here_down_(neurons_),
      from_here_up_(neurons_) {
  for (std::int64_t& u : potential_) u = -static_cast<std::int64_t>(random_.below(by_.spread));
}

void net_neurons::hear(const neighbour& of, const firing& theirs) {
  for (const std::uint16_t neuron : theirs) {
    ++conflicts_[neuron];
    if (of.below && neuron + std::size_t{pairs} < neurons_) ++from_here_down_[neuron + std::size_t{pairs}];
    if (of.above && neuron >= pairs) ++from_here_up_[neuron - std::size_t{pairs}];
  }
}

void net_neurons::add_up() {
  if (std::exchange(added_up_, true)) return;
  for (std::size_t n = pairs; n < neurons_; ++n) from_here_down_[n] += from_here_down_[n - pairs];
  for (std::size_t n = neurons_ - pairs; n-- > 0;) from_here_up_[n] += from_here_up_[n + pairs];
  for (std::size_t n = 0; n < neurons_; ++n) conflicts_[n] += from_here_down_[n] + from_here_up_[n];
}

bool net_neurons::is_settled() {
  add_up();
  return firing_.size() == 1 && conflicts_[firing_.front()] == 0;
}

bool net_neurons::update() {
  add_up();
  const bool climbs = random_.below(100) < by_.climb;
  firing before;
  std::swap(before, firing_);
  auto next_before = before.begin();
  auto fire_now = static_cast<std::int64_t>(before.size());
  for (std::size_t n = 0; n < neurons_; ++n) {
    const bool fired = next_before != before.end() && *next_before == n;
    if (fired) ++next_before;
    std::int64_t change = -by_.one * (fire_now - 1);
    if (fired || !climbs) change -= by_.conflict * conflicts_[n];
    if (fire_now == 0) change += by_.none;
    potential_[n] += change;
    const bool fires = potential_[n] > 0;
    if (fires) firing_.push_back(static_cast<std::uint16_t>(n));
    fire_now += (fires ? 1 : 0) - (fired ? 1 : 0);
  }
  for (auto* heard : {&conflicts_, &from_here_down_, &from_here_up_}) std::fill(heard->begin(), heard->end(), 0);
  added_up_ = false;
  return firing_ != before;
}

}  // namespace channel
