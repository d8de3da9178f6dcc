// Loops.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

void loop(const context& outside, const tree::loop& e);
void count(const context& outside, const tree::count& e);
// Goes on behind the innermost loop.
void leave_loop(const context& at);

}  // namespace abcl::messages
