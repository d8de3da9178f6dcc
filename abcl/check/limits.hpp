// How much of something a program may have.
#pragma once

#include <cstddef>

namespace abcl {

// A node of the register machine has a word for each class.
inline constexpr int most_classes = 4080;

// Parts that a type with a name may consist of, those of the names in it among them: each name may double what the one
// before it has, so a few lines could mean a type that nobody has the memory for.
inline constexpr std::size_t most_parts_of_type = 1000;

// Names of types that lead to each other before there is a type.
inline constexpr int most_nested_names = 500;

}  // namespace abcl
