// Types: which of C++ the values of a type of ABCL/ST have.
#pragma once

#include <string>

#include "abcl/types/type.hpp"

namespace abcl::cpp {

// The C++ type of a value; objects and reply destinations are one type.
std::string cpp_type(const type* t);

// Whether its values are anything; else its C++ type is abcl::none.
bool has_value(const type* t);
// Whether it is an object or a destination, which are names in C++.
bool is_name(const type* t);
// Whether an array is, or may be, part of its values.
bool holds_array(const type* t);

}  // namespace abcl::cpp
