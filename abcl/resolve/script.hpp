// What the script of a class means for the messages that come, and when a clause or a class is done: decided here, and
// written down by both back ends.
#pragma once

#include "abcl/check/tree.hpp"

namespace abcl {

// Whether express messages may interrupt what its objects do.
bool has_express_clauses(const class_def& c);

// Whether some message of its interface may have to wait in the queue, since the script may not take it when it comes:
// because of guards or literals, or since only express clauses or a wait-for take it. The class has a script.
bool may_leave_messages(const class_def& c);

// Whether each way through a clause that replies ends with its one reply. If not, who has asked is told when none
// comes.
bool replies_at_its_end(const clause& c);

// Whether the program ends when the body of an object of `c` has ended: it is the test that the program starts with.
bool exits_behind_body(const class_def& c, const class_def* start);

}  // namespace abcl
