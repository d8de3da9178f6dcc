// From the language of messages to that of registers, pass by pass:
//
//   copies     a value that is a copy of another is not used; what is not used is not computed   (may be left out)
//   waits      what is needed behind a wait is kept in the object's segment: the least that has to be stored and loaded
//   select     steps of messages become packets, links and ends of sequences
//   allocate   values become ten registers, and words of the segment where these are not enough
//   (link      the blocks become one sequence of instructions: link.hpp)
#pragma once

#include <vector>

#include "abcl/code/code.hpp"

namespace abcl::registers {

struct options {
  bool copy_propagation = true;
};

// What the passes have done to a text.
struct figures {
  int copies_removed = 0;
  int kept = 0;     // stores in front of waits
  int loaded = 0;   // loads behind them
  int spilled = 0;  // values for which there was no register
  int instructions = 0;
};

// All texts of `p`, in place. Behind the words of a text stand the words that it keeps.
std::vector<figures> translate(code::program& p, const options& how);

// ---- the passes

// What can be done before anything is known of registers: blocks and copies that are not needed go.
void tidy(code::text& t, const options& how, figures& f);

void remove_copies(code::text& t, figures& f);
// `words`: how many words of the segment, or the frame, the text has in use; those that it needs more are added.
void keep_over_waits(code::text& t, int& words, figures& f);
void select(code::text& t, const code::program& p);
void allocate(code::text& t, int& words, bool join_copies, figures& f);

}  // namespace abcl::registers
