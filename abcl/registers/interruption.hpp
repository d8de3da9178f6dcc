// Where express clauses may run, and how what they interrupt goes on: where a clause waits, and where it looks whether
// express messages have come.
//
// What was interrupted is kept in the segment: `kept-reactive` tells what it was doing, `kept-place` and `kept-awaited`
// where it goes on and for what it waits.
#pragma once

#include "abcl/registers/block_writer.hpp"

namespace abcl::registers {

// Whether they may run where the text waits here.
bool may_be_interrupted(const block_writer& w);
// The reactive text for a wait: open to express messages where those may interrupt, and no atomic form keeps them out.
void link_waiting(block_writer& w, code::reactive closed, code::reactive open, std::int16_t note = 0);
// Express clauses may run now; then it goes on at t.
void poll(block_writer& w, int t);
// The same before a look for messages, at t: what is interrupted is a clause that waits.
void poll_messages(block_writer& w, int t);
// Express messages that have come while the clause ran are taken before it waits for a reply, and goes on at t.
void run_express_clauses_first(block_writer& w, int t);
// An express clause begins where an object waits.
void interrupt(block_writer& w);
// An express clause has ended, or none has run yet: the next one, whose message is s.d, begins at s.t; or what was
// interrupted goes on.
void resume(block_writer& w, const instruction& s);

}  // namespace abcl::registers
