// Some nets of a channel and their neurons: those of a PE, or all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/channel/neurons.hpp"

namespace channel {

class network {
 public:
  // The nets with these indexes. `nets` must live as long as this. No neuron fires yet. Each net's random numbers
  // follow from the seed and its index.
  network(const std::vector<net>* nets, std::vector<std::uint32_t> members, int tracks, motion by, std::uint64_t seed);

  // Lets all members hear what fires, by net. How many of them are not settled?
  std::int64_t hear(const std::vector<firing>& fire);

  // Updates all that have heard, and writes down what of them fires now. The members that fire otherwise than before.
  std::vector<std::uint32_t> update(std::vector<firing>& fire);

 private:
  const std::vector<net>* nets_;
  std::vector<std::uint32_t> members_;
  std::vector<net_neurons> neurons_;
  double clocks_of_update_;
};

}  // namespace channel
