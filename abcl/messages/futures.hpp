// Futures, and waiting for their values.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// The value of `e`, a future that must have been made.
value future_of(const context& at, const expression& e, span where);
// Its first value; or the next one, which it then has no more.
values touch(const context& at, const tree::unary& e);

}  // namespace abcl::messages
