// sync, sync2, sync*.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// The boxes are opened, the forms executed, and the replies waited for, in the order of the boxes.
values sync(const context& outside, const tree::sync& e, const type* want);

}  // namespace abcl::messages
