// The catalog of errors and warnings: what each number means, for those who ask `abcl explain`.
#pragma once

#include <span>
#include <string_view>

namespace abcl {

struct explanation {
  int number;  // as in a diagnostic: errors are below 100
  std::string_view title;
  std::string_view text;  // several lines, each with its newline: what it means, then a wrong fragment and a right one
};

// All of them, in the order of their numbers.
std::span<const explanation> explanations();

// Null if no error or warning has this number.
const explanation* find_explanation(int number);

}  // namespace abcl
