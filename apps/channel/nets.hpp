// The nets of a channel, and which of them must not be where.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/channel/pins.hpp"

namespace channel {

inline constexpr int pairs = 2;  // of layers, one for horizontal wires and one for vertical ones

// Another net that is in some column of a net's. On one track of one pair of layers both would touch. Where a column
// has an upper pin of the one and a lower pin of the other, the other must be below, if both are on one pair: else
// their vertical wires would touch.
struct neighbour {
  std::uint32_t net = 0;  // an index
  bool below = false;     // it must be below
  bool above = false;     // it must be above; it may have to be both
};

struct net {
  int number = 0;         // in the input
  std::size_t first = 0;  // its columns
  std::size_t last = 0;
  std::vector<neighbour> neighbours;  // by index
};

// By number; the nets that the pins have.
std::vector<net> nets_of(const pins& given);

// The most nets that are in one column. So many tracks are needed, in all pairs of layers together.
int density(const std::vector<net>& nets);

}  // namespace channel
