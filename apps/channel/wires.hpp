// A routed channel: wires of two pairs of layers, one layer of each for horizontal and one for vertical wires.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/channel/nets.hpp"

namespace channel {

// Row 0 is the upper edge; tracks are rows 1 .. `tracks`; row `tracks` + 1 is the lower edge.
struct wire {
  int net = 0;   // its number
  int pair = 0;  // of layers
  std::size_t first_column = 0;
  std::size_t last_column = 0;
  int first_row = 0;
  int last_row = 0;
};

// Joins the two layers of a pair.
struct via {
  int net = 0;
  int pair = 0;
  std::size_t column = 0;
  int row = 0;
};

struct wiring {
  int tracks = 0;
  std::vector<wire> horizontal;
  std::vector<wire> vertical;
  std::vector<via> vias;
};

struct place {
  std::uint16_t track = 0;  // 0: the upper one
  std::uint16_t pair = 0;
  friend bool operator==(place, place) = default;
};

// Each net has one horizontal wire at its place, and a vertical one from each of its pins to there. places: by index of
// the nets.
wiring lay_wires(const pins& given, const std::vector<net>& nets, const std::vector<place>& places, int tracks);

}  // namespace channel
