// The layout of programs: spaces and indentation by rule, line breaks and comments as they were written.
//
// Lines that are too long are broken; none are joined. So what is laid out once stays as it is.
#pragma once

#include <string>

#include "abcl/read/form.hpp"

namespace abcl {

inline constexpr int line_width = 120;

// `read` is what the reader has made of `from`, without errors.
std::string formatted(const source& from, const forms& read);

}  // namespace abcl
