// Who owns what: rows are dealt to the PEs like cards, row r to PE r mod P, as bale does.
#pragma once

#include <cstdint>

namespace graph {

using vertex = std::uint32_t;  // or the row or column that stands for it; from 0

// What PE `pe` of `pes` owns.
struct cyclic {
  vertex pe = 0;
  vertex pes = 1;

  // int, as the runtime numbers PEs
  int owner(vertex global) const { return static_cast<int>(global % pes); }
  vertex local(vertex global) const { return global / pes; }
  vertex global(vertex local) const { return local * pes + pe; }
  // How many of 0 .. n - 1 are its own.
  vertex count(vertex n) const { return n / pes + (pe < n % pes ? 1 : 0); }

  friend bool operator==(const cyclic&, const cyclic&) = default;
};

}  // namespace graph
