// Operators and conditions.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

value operation_value(const context& at, const tree::compute& e);
// Two values of type `t`, of one word or two.
value compared(const context& at, operation does, const type* t, const values& a, const values& b);
// Goes on at `yes` or at `no`.
void condition(const context& at, const expression& e, int yes, int no);

}  // namespace abcl::messages
