// Who is whose partner in a cell.
//
// A cell of MP3D has one slot. A molecule that finds it empty goes in; the next one finds its partner there, and the
// slot is empty again. There the order is that of arrival, so results differ from run to run. Here it is that of
// tickets which follow from molecule and step: the same for every number of PEs. Numbers alone would do for that, but
// two molecules that fly side by side would then be partners step after step, and would not meet anybody else.
//
// A slot is empty when a step begins: who was in it may be in another cell by then.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/mp3d/collision.hpp"

namespace mp3d {

// A place in the order of a step.
struct ticket {
  std::uint64_t drawn;
  std::int64_t number;  // decides if two have drawn the same

  ticket(const gas& of, std::int64_t step, std::int64_t of_number);
  friend auto operator<=>(const ticket&, const ticket&) = default;
};

// Pairs and collides those who are in one cell. Returns those whose velocities have changed, with the new ones.
std::vector<visitor> meet(const gas& of, std::int64_t step, const std::vector<visitor>& in_cell, counters& counted);

}  // namespace mp3d
