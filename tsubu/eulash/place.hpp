// Lines of a C program as the runtime shows them: what is laid out as std::source_location's own records is one.
#pragma once

#include <bit>
#include <source_location>

#include "tsubu/eulash/memory.h"

namespace tsubu::placed {

// The standard library makes such values for lines of C++ only. They hold one address, of a record of these members
// (g++ and clang, by the ABI that both share); place_test.cpp checks it.
inline std::source_location source_location_of(const eulash_place& place) {
  static_assert(sizeof(std::source_location) == sizeof(const eulash_place*));
  return std::bit_cast<std::source_location>(&place);
}

}  // namespace tsubu::placed
