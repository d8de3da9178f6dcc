// match: the first clause that fits a value.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// Leaves the value of its clause in `result`, and goes on at `after`.
void match(const context& at, const tree::match& e, const type* want, const values& result, int after);

}  // namespace abcl::messages
