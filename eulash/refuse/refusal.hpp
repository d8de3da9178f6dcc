// What a program has that cannot be translated: where, what, why, and what to do instead.
#pragma once

#include <string>
#include <vector>

#include "eulash/source/program.hpp"

namespace eulash {

struct refusal {
  place at;
  std::string what, why, instead;
};

// As compilers tell errors.
std::string told(const refusal& r);

// All that is known to be refused by its name or its kind: table-driven, in refuse.cpp.
void refuse_constructs(const parsed& p, std::vector<refusal>& to);

}  // namespace eulash
