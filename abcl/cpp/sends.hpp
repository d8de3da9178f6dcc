// Messages: whom they are sent to, by which method, and how a reply comes back.
#pragma once

#include <string>
#include <vector>

#include "abcl/check/nodes.hpp"
#include "abcl/cpp/function_scope.hpp"

namespace abcl::cpp {

void past(function_scope& in, const tree::send& e);
cpp_value now(function_scope& in, const tree::send& e);
// What a question is awaited by.
std::string question(function_scope& in, const tree::send& e);
// One to a class that is known, whose method replies to who asks: of the first `count` elements.
std::string direct_question(function_scope& in, const tree::send& e, std::size_t count);

// `!`, to who has asked.
void reply(function_scope& in, const tree::unary& e);

}  // namespace abcl::cpp
