// What the steps of the simulation take on EM-4, in its clocks: for simulated jobs (Yasugi, Matsuoka and Yonezawa
// 1997, 6.3).
//
// EM-4 has no floating point: the pull of one body on another takes 61 times as long as on a SUN SS5 of 110 MHz
// (published), there some 150 clocks (assumed: 17 additions and multiplications, a root and a division). All else is 20
// times as slow (published); what it takes follows from the 5 % of an SS5's time that the pulls are (published; of
// 1,000 bodies).
#pragma once

namespace nbody {

inline constexpr double clocks_of_pull = 61 * 150 * 12.5 / 110;
// A body comes to a cell, to be put there or to feel it: a message, its method, and a test.
inline constexpr double clocks_of_cell = 5300;

}  // namespace nbody
