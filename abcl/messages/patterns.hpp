// Whether a message or a value fits the pattern of a clause.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// Element i of a message, loaded from its box.
values elements_of(const context& at, const clause& c, std::size_t i, value box);
// On at `no` unless the words of a value, of type `of`, are those of the literal.
void require_equal(const context& at, const values& v, const expression& literal, const type* of, int no);
// Whether the elements of the message fit the literals of `c`, and its guard is true; else on at `no`.
void test(const context& at, const clause& c, value box, int no);

}  // namespace abcl::messages
