// Loops.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

void loop(const context& outside, const tree::loop& e);
void count(const context& outside, const tree::count& e);

}  // namespace abcl::messages
