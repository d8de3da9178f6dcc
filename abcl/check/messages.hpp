// Messages as they are written: [:put 3 x].
#pragma once

#include <string_view>

#include "abcl/check/context.hpp"

namespace abcl {

// Its tag with the colon; "" if it has none.
std::string_view tag_of(const form& message);

// Whether `f` is a message as it is written, not an expression that has one as its value.
bool is_literal_message(const form& f);

// The message as a value.
expression_ptr message(const context& at, const form& f, const type* wanted);

}  // namespace abcl
