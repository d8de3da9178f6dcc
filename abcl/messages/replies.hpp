// Replies that are given.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// [destination <= v]: to a box; to a future, or an object, if the program has such destinations; to nobody.
void reply_to(const context& at, const destination& d, const values& v, span where);
// !v
void reply(const context& at, const tree::unary& e);
// The clause ends here: who waits for its reply has got it, or is told.
void require_reply(const context& at, const destination& owed);

}  // namespace abcl::messages
