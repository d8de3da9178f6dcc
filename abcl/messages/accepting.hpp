// Looking for a message: in the queue, and then at each one as it comes.
#pragma once

#include "abcl/messages/clauses.hpp"

namespace abcl::messages {

// One that one of the clauses takes, which is executed.
void accept(const context& at, const taking& t);

}  // namespace abcl::messages
