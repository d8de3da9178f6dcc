// What is done for its effect.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

void effect(const context& at, const expression& e);
void run(const context& at, const expressions& body);

}  // namespace abcl::messages
