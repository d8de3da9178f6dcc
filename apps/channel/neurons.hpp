// The neural network that finds the places of the nets. Each net has a neuron for each track of each pair of layers;
// one that fires says that the net lies there. Each has a potential U, and fires while it is above 0. In an iteration
//
//   U += - A (number of the net's neurons that fire - 1)
//        - B (number of neighbours' firing neurons that it must not fire with)
//        + C, if none of the net's fires;
//
// In most iterations the B term is left out for neurons that do not fire: the net climbs, out of local minima. The
// neurons of a net are updated one after the other, and each sees what those before it do now. All nets are updated at
// once, from what their neighbours' neurons did at the end of the iteration before; so the result does not depend on
// who updates which. The potentials at first, and the iterations in which a net climbs, are random: or two nets with
// the same neighbours would do the same for ever.
//
// Sources: Takefuji and Lee, Biological Cybernetics 64, 1991; Funabiki and Takefuji, A parallel algorithm for channel
// routing problems, IEEE Trans. CAD 11 (4), 1992, of which no text was at hand: the equation above is ours.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/channel/nets.hpp"
#include "tsubu/base/random.hpp"

namespace channel {

// Those neurons of a net that fire, ascending. The one of a track and a pair of layers is number track * pairs + pair.
using firing = std::vector<std::uint16_t>;

struct motion {
  std::int64_t one = 1;       // A
  std::int64_t conflict = 2;  // B
  std::int64_t none = 16;     // C
  unsigned climb = 85;        // percent of the iterations
  unsigned spread = 8;        // potentials begin between 1 - spread and 0
};

class net_neurons {
 public:
  // At first none fires. random: the net's own.
  net_neurons(tsubu::random_source random, int tracks, motion by);

  // For each neighbour, once in an iteration: what fires of it.
  void hear(const neighbour& of, const firing& theirs);

  // After all are heard: has the net one place, and no neighbour one that is in conflict with it?
  bool is_settled();

  // Updates the neurons, and forgets what was heard. Does what fires differ from before?
  bool update();

  const firing& now() const { return firing_; }

 private:
  void add_up();

  motion by_;
  tsubu::random_source random_;
  std::size_t neurons_;
  std::vector<std::int64_t> potential_;
  firing firing_;

  // By neuron, the conflicts there. Until they are added up, those with a net that must be below (above) a neuron's
  // place are counted once, at the first place that is in conflict.
  std::vector<std::int32_t> conflicts_;
  std::vector<std::int32_t> from_here_down_;
  std::vector<std::int32_t> from_here_up_;
  bool added_up_ = false;
};

}  // namespace channel
