// The script of a class.
//
// One that takes every message at once is a dispatch: the object is dormant, a message that comes is looked up and
// executed. Where a message may have to wait, because of a guard, a literal or a wait-for, the object looks through its
// queue, and then at each message as it comes.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

void script(const context& at, const class_def& c);

}  // namespace abcl::messages
