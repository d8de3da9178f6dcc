// Assignments: [place := value].
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

expression_ptr assignment(const context& at, const form& f);

}  // namespace abcl
