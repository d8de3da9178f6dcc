// What an end keeps of the PEs that it has sent to: a hash table by number of PE. Before it would become larger it
// forgets those that have taken all: a simulation has many PEs, and each sends to many others in the course of time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::sim {

class in_flight_table {
 public:
  struct peer {
    pe_id to = no_pe;
    // Batches, as far as the sender has heard. At 0 all that it has sent is taken, so nothing that it sends next can
    // overtake it: the times below say nothing more.
    int on_the_way = 0;
    std::int64_t last_arrival_ps = 0, last_free_ps = 0;
  };

  // Null if nothing is known of it.
  const peer* find(pe_id to) const {
    if (places_.empty()) return nullptr;
    const peer& w = places_[place_of(to)];
    return w.to == to ? &w : nullptr;
  }
  // The reference holds until the next use() of another.
  peer& use(pe_id to) {
    if (!places_.empty()) {
      peer& w = places_[place_of(to)];
      if (w.to == to) return w;
    }
    if (4 * (used_ + 1) > 3 * places_.size()) make_room();
    ++used_;
    peer& made = places_[place_of(to)];
    made.to = to;
    return made;
  }
  // For tests: how many it has room for.
  std::size_t places() const { return places_.size(); }

 private:
  // Where it is, or belongs.
  std::size_t place_of(pe_id to) const {
    const std::size_t mask = places_.size() - 1;
    // Numbers that differ little are far apart (Knuth 1998, section 6.4: a multiple of the golden ratio).
    std::size_t at = (static_cast<std::uint64_t>(to) * 0x9E3779B97F4A7C15U >> 32) & mask;
    while (places_[at].to != to && places_[at].to != no_pe) at = (at + 1) & mask;
    return at;
  }
  [[gnu::noinline]] void make_room() {
    constexpr std::size_t least = 4;
    const std::vector<peer> before = std::exchange(places_, {});
    used_ = static_cast<std::size_t>(std::ranges::count_if(before, [](const peer& w) { return w.on_the_way != 0; }));
    places_.resize(std::max(least, std::bit_ceil(2 * (used_ + 1))));
    for (const peer& w : before) {
      if (w.on_the_way != 0) places_[place_of(w.to)] = w;
    }
  }

  std::vector<peer> places_;  // a power of two of them, three quarters in use at most; no_pe: not in use
  std::size_t used_ = 0;
};

}  // namespace tsubu::sim
