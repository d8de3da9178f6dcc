// Messages that are sent.
//
// A message is sent as the paper's compiler did (its sections 4.3 and 7.2): a box is reserved at the receiver's node,
// then each argument is evaluated and written there at once, then the box is delivered. So an argument needs no place
// here while the next one is evaluated, even if that waits.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// With a future, or without.
void past(const context& at, const tree::send& e);
// The reply.
values now(const context& at, const tree::send& e);

}  // namespace abcl::messages
