// Operators: a table from their names to what they do, and which values they take.
#pragma once

#include <span>
#include <string_view>

#include "abcl/check/context.hpp"

namespace abcl {

struct known_operator {
  std::string_view name;
  operation does;
  expression_ptr (*check)(const context& at, const form& f, operation does);
};

// All, in the order of their names.
std::span<const known_operator> operators();
// Null if there is none.
const known_operator* find_operator(std::string_view name);

}  // namespace abcl
