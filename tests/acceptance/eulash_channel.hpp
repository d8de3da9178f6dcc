// Channel routing in either way of eulash_kernel.hpp: the nets of Deutsch's difficult example are dealt out, each
// process has the neurons of its nets, and what a net fires is used by many. 12 tracks, 100 iterations, in which the
// network moves as one alone does; row U18 has it come to rest.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "apps/channel/firing_exchange.hpp"
#include "apps/channel/network.hpp"
#include "apps/channel/pins.hpp"
#include "tests/acceptance/eulash_kernel.hpp"

namespace acceptance {

template <class Way>
class channel_program {
 public:
  static constexpr int tracks = 12, iterations = 100;

  tsubu::task<timed_step> run() {
    co_await way_.begin();
    fires_ = co_await made_by_first<used_by_many>(std::vector<std::uint32_t>(nets_.size()));
    co_await way_.meet();
    const std::int64_t begin_ns = tsubu::now_ns();
    for (int i = 0; i < iterations; ++i) co_await iterate();
    timed_step found;
    found.step_ns = co_await ns_of_slowest(begin_ns, iterations);
    const bool equal = co_await is_as_alone();
    found.right = co_await tsubu::all_reduce(equal ? 0 : 1, tsubu::reduce::plus) == 0;
    co_return found;
  }

 private:
  using used_by_many = typename Way::template used_by_many<std::uint32_t>;
  static_assert(tracks * channel::pairs <= 32, "a net fires into one word");

  static std::uint32_t word_of(const channel::firing& fire) {
    std::uint32_t word = 0;
    for (const std::uint16_t neuron : fire) word |= std::uint32_t{1} << neuron;
    return word;
  }
  static channel::firing firing_of(std::uint32_t word) {
    channel::firing fire;
    for (std::uint16_t neuron = 0; neuron < 32; ++neuron)
      if ((word >> neuron & 1) != 0) fire.push_back(neuron);
    return fire;
  }

  // Nobody writes before all have read, and nobody reads before all have written.
  tsubu::task<void> iterate() {
    for (const std::uint32_t i : mine_) {
      for (const channel::neighbour& n : nets_[i].neighbours) fire_[n.net] = firing_of(co_await fires_[n.net].read());
    }
    co_await way_.sum(static_cast<double>(network_.hear(fire_)));  // all look whether it has come to rest
    const std::vector<std::uint32_t> changed = network_.update(fire_);
    for (const std::uint32_t i : changed) co_await fires_[i].write(word_of(fire_[i]));
    co_await way_.meet();
  }

  // What this process's nets fire in the end, beside one network of all of them.
  tsubu::task<bool> is_as_alone() {
    std::vector<std::uint32_t> all(nets_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    channel::network whole(&nets_, all, tracks, {}, seed);
    std::vector<channel::firing> fire(nets_.size());
    for (int i = 0; i < iterations; ++i) {
      whole.hear(fire);
      whole.update(fire);
    }
    bool equal = true;
    for (const std::uint32_t i : mine_) {
      const std::uint32_t word = co_await fires_[i].read();
      equal = equal && word == word_of(fire[i]);
    }
    co_return equal;
  }

  static constexpr std::uint64_t seed = 1;
  const std::vector<channel::net> nets_ = channel::nets_of(channel::deutsch());
  const std::vector<std::uint32_t> mine_ = channel::nets_here(nets_.size());
  channel::network network_{&nets_, mine_, tracks, {}, seed};
  std::vector<channel::firing> fire_ = std::vector<channel::firing>(nets_.size());
  std::vector<used_by_many> fires_;  // by net, a bit for each neuron
  Way way_;
};

}  // namespace acceptance
