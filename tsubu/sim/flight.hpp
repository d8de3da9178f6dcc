// A message on its way through a simulated network.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::sim {

struct flight {
  std::int64_t ps;       // when it leaves the PE's hands; then its head's next step; on arrival: when its tail is there
  std::uint64_t number;  // of those of its sender
  pe_id from;
  pe_id to;
  void* what;  // the engine's
  std::size_t bytes;
  std::int64_t tail_ps = 0;  // where its head is: when its tail is there
  std::int32_t step = 0;     // of its route
  std::int32_t bank = 0;     // with buffers: which of those of its link it is in

  bool operator>(const flight& other) const {
    if (ps != other.ps) return ps > other.ps;
    return from != other.from ? from > other.from : number > other.number;
  }
};

}  // namespace tsubu::sim
