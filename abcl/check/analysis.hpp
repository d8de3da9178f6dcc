// What is asked about a checked program: whether something waits, has effects, names its object.
#pragma once

#include <functional>

#include "abcl/check/tree.hpp"

namespace abcl {

// Calls `f` with each expression in `e`, itself first. If `f` says no, what is inside is left out.
void walk(const expression& e, const std::function<bool(const expression&)>& f);
void walk(const class_def& c, const std::function<bool(const expression&)>& f);
void walk(const clause& c, const std::function<bool(const expression&)>& f);
void walk(const program& p, const std::function<bool(const expression&)>& f);

// Whether its object may have to wait for a message or a reply in it.
bool waits(const expression& e);
bool waits(const clause& c);
bool has_loops(const clause& c);
// Whether its object may end in it.
bool may_end_itself(const clause& c);
// Whether a `break` in it leaves a loop that the clause stands in.
bool leaves_loop_around(const clause& c);

// Whether evaluating it changes or sends something, so that its place among others matters.
bool has_effects(const expression& e);
// Whether evaluating it may end the job, as a division by 0 does. So it may not be left out, even if nobody wants its
// value.
bool may_fail(const expression& e);

// Finds the functions that have effects, for has_effects() of calls; and what guards do not call, those that look
// outside and those that leave traces.
void find_effects(program& p);

// Whether its value is the same whenever it is evaluated: a literal, or a variable that nobody assigns to.
bool is_constant(const expression& e);

// Whether each way through it ends with a reply to the message of its clause, or with an exit, and no other part of it
// replies.
bool ends_with_reply(const expressions& body);
bool ends_with_reply(const expression& e);
// Whether a `!` in it answers the message of the clause that `e` stands in, not that of one inside.
bool replies(const expression& e);

bool names_itself(const class_def& c);

}  // namespace abcl
