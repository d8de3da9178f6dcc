// Types: which of C++ the values of a type of ABCL/ST have.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "abcl/types/type.hpp"

namespace abcl::cpp {

// The C++ type of a value; objects and reply destinations are one type.
std::string cpp_type(const type* t);

// An order in which those are equal whose values have the same C++ type.
std::strong_ordering order_in_cpp(const type* a, const type* b);
std::strong_ordering order_in_cpp(const std::vector<const type*>& a, const std::vector<const type*>& b);

// Whether its values are anything; else its C++ type is abcl::none.
bool has_value(const type* t);
// Whether it is an object or a destination, which are names in C++.
bool is_name(const type* t);
// Whether an array is, or may be, part of its values.
bool holds_array(const type* t);
// Whether names of objects may be part of its values, which an object that has one can show.
bool shows_names(const type* t);

}  // namespace abcl::cpp
