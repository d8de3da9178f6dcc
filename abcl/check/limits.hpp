// How much of something a program may have.
#pragma once

namespace abcl {

// A node of the register machine has a word for each class.
inline constexpr int most_classes = 4080;

}  // namespace abcl
