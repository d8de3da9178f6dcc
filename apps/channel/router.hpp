// Routes a channel: looks for places of all nets with one number of tracks after the other, until it finds them.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/channel/firing_exchange.hpp"
#include "apps/channel/neurons.hpp"
#include "apps/channel/wires.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace channel {

struct rules {
  motion by;
  int fewest_tracks = 1;
  int most_tracks = 1;
  int tries = 8;                  // with a number of tracks
  std::int64_t iterations = 500;  // in a try
  std::uint64_t seed = 1;         // of the first try; the next ones have the next seeds
};

struct outcome {
  bool found = false;
  int tracks = 0;               // the last number tried
  std::uint64_t seed = 0;       // of the last try
  std::int64_t iterations = 0;  // in the last try
  std::int64_t iterations_in_all = 0;
  std::vector<place> places;  // by net, if they were found
  friend bool operator==(const outcome&, const outcome&) = default;
};

// Fewer tracks than that are not enough: so many pairs must have room for all nets of a column.
int least_tracks(const std::vector<net>& nets);

// The same on every PE, and for every number of PEs. What is pointed to must live until the task has ended. Collective.
tsubu::task<outcome> route(const std::vector<net>* nets, rules by, firing_exchange* exchange, program::progress* shown);

// The same on the calling PE alone. Local.
outcome route_alone(const std::vector<net>& nets, const rules& by);

}  // namespace channel
