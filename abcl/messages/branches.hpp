// Forms with branches.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// The value: each branch leaves it in the same words.
values branches(const context& at, const expression& e, const type* want);
// Leaves the value of `e` in `result`, which has no words if nobody wants it, and goes on at `after`.
void into(const context& at, const expression& e, const type* want, const values& result, int after);
// The same of the last of the forms, behind the others.
void last_into(const context& at, const expressions& body, const type* want, const values& result, int after);

}  // namespace abcl::messages
