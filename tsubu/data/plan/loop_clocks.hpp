// What the loops of an exchange take of a simulated machine's clocks, for each element.
#pragma once

namespace tsubu::data {

// EM-X's: its plain loop sends 6 million words a second with a clock for each send. A loop that looks its elements up
// takes twice as many.
inline constexpr double copied_word_clocks = 2.33, looked_up_word_clocks = 2 * copied_word_clocks;

// Where elements that have been read are kept: to look whether one is there, and to note that it is. Assumed: a load, a
// comparison and a branch; a store.
inline constexpr double presence_clocks = 4, keeping_clocks = 2;

}  // namespace tsubu::data
