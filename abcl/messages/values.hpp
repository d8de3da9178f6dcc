// Expressions: each becomes the words of its value.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// `want`: the type of the place where it goes, which tells how many words `nil` has; null: its own.
values eval(const context& at, const expression& e, const type* want = nullptr);

}  // namespace abcl::messages
