// In which rounds the members of a ring exchange parts that are different for each, and in which they gather one of
// each: Bruck's algorithms, in which short parts ride together.
//
// Exchange, by a radix: a part has a distance to go, the digits of which are taken one after the other, the lowest
// first. In round j whoever holds a part whose digit j is x passes it on by x times radix^j places, with all others of
// that digit. A PE holds one part of each distance at any time, so that a distance names it. A radix as large as the
// ring sends each part straight; a small one sends fewer batches, and each part more often.
//
// Gathering doubles what each has: in round j it gets what is 2^j places further and, from there on, what that one has.
//
// Source: Bruck, Ho, Kipnis, Upfal and Weathersby 1997, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

// The rounds of an exchange.
class exchange_rounds {
 public:
  // radix: at least 2.
  constexpr exchange_rounds(pe_id size, pe_id radix) : size_(size), radix_(radix) {}

  constexpr pe_id size() const { return size_; }
  constexpr pe_id radix() const { return radix_; }

  // How many messages a PE sends in a round, and receives, and how many places further the n-th of them goes: n = 1,
  // ...
  constexpr pe_id messages(int round) const {
    return static_cast<pe_id>(std::min<std::int64_t>(radix_, (size_ - 1) / unit_of(round) + 1) - 1);
  }
  constexpr pe_id hop(int round, pe_id n) const { return static_cast<pe_id>(n * unit_of(round)); }
  // Calls f(distance) for each distance whose part is in that message, in rising order.
  template <class F>
  constexpr void for_each_distance(int round, pe_id hop, F f) const {
    const std::int64_t unit = unit_of(round), step = unit * radix_;
    for (std::int64_t first = hop; first < size_; first += step) {
      for (std::int64_t d = first; d < std::min<std::int64_t>(first + unit, size_); ++d) f(static_cast<pe_id>(d));
    }
  }
  constexpr int rounds() const {
    int count = 0;
    while (unit_of(count) < size_) ++count;
    return count;
  }

 private:
  constexpr std::int64_t unit_of(int round) const {
    std::int64_t unit = 1;
    while (round-- > 0 && unit < size_) unit *= radix_;
    return unit;
  }

  pe_id size_;
  pe_id radix_;
};

// What it takes to send between members, in microseconds, as an order of magnitude: sending a batch and receiving it,
// the way of one, and a byte. Between nodes, their PEs share a cable.
struct ring_costs {
  double batch_us, way_us, byte_us;
};
inline constexpr ring_costs costs_within_row{0.4, 0.3, 1e-4}, costs_across_rows{0.4, 1.3, 5e-3};

// What an exchange takes each of its PEs, with parts of so many bytes, about.
constexpr double expected_us(const exchange_rounds& rounds, std::size_t part_bytes, const ring_costs& costs) {
  double us = 0;
  for (int round = 0; round < rounds.rounds(); ++round) {
    const double messages = rounds.messages(round);
    const double moved = rounds.size() * messages / (messages + 1);
    us += messages * costs.batch_us + costs.way_us + moved * static_cast<double>(part_bytes) * costs.byte_us;
  }
  return us;
}

// The power of two with which an exchange takes the least, or the ring's size.
constexpr pe_id best_radix(pe_id size, std::size_t part_bytes, const ring_costs& costs) {
  pe_id best = std::max(size, pe_id{2});
  double best_us = expected_us({size, best}, part_bytes, costs);
  for (pe_id radix = 2; radix < size; radix *= 2) {
    const double us = expected_us({size, radix}, part_bytes, costs);
    if (us >= best_us) continue;
    best = radix;
    best_us = us;
  }
  return best;
}

}  // namespace tsubu::remote
