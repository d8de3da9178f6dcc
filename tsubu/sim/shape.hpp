// How a machine's network lies, as its file says it, and how many PEs there is room for.
#pragma once

#include <cstdint>

#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/section.hpp"

namespace tsubu::sim {

inline constexpr int most_nodes = 1 << 24;  // that a shape may have room for

// Reads topology and shape of the table [network], then, when the shape is known, fill and first_group. What is wrong
// with them is noted in the section.
void read_shape(section& net, machine& m);
void read_places(section& net, machine& m);

// How many PEs a machine has room for.
std::int64_t room_for(const machine& m);

}  // namespace tsubu::sim
