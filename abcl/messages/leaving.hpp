// Clauses that are left, by (non-resume): who waits for a reply of theirs is left, too.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// Whom the clause that is executed owes a reply, for when it is left; twice 0: nobody.
void owe(const context& at, value object, value box);
// A wait-for has taken a message. If its clause is to be left, this is the end of its wait, and who has asked by the
// message is left, too.
void leave_instead(const context& at, const clause& c, value box);
// Where the text goes on then.
void clause_is_left(const context& at);

}  // namespace abcl::messages
