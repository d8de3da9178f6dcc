// The texts of print and str.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// The text of all parts: with spaces between them for print, without for str.
void text_of(const context& at, const expressions& parts, bool spaced);

}  // namespace abcl::messages
