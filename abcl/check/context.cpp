#include "abcl/check/context.hpp"

#include <fmt/format.h>

namespace abcl {

context as_operand(const context& at) {
  context inside = at;
  if (at.no_break == nullptr) inside.no_break = "a value is computed here, or a reply awaited";
  return inside;
}

bool may_act(const context& at, const form& f, std::string_view what) {
  if (!at.in_guard && !at.in_function() && !at.in_first_value) return true;
  const char* const who = at.in_guard ? "a guard" : at.in_function() ? "a function" : "the value of a state variable";
  at.said.error(58, f.where, fmt::format("{} {}", who, what), "not here")
      .help.push_back("guards, functions and first values only compute");
  return false;
}

}  // namespace abcl
