// How small things are spelt in C++: literals, lists, brackets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/cpp/cpp_value.hpp"

namespace abcl::cpp {

cpp_value number(std::int64_t n);
cpp_value number(double x);
// As a string of C++.
std::string string_literal(std::string_view text);
// With a backslash before quotes and backslashes, as a directive has the name of a file.
std::string escaped(std::string_view text);

// Adds one to a list with commas.
void append(std::string& list, std::string_view each);
std::string joined(const std::vector<std::string>& all);
std::vector<std::string> texts(const std::vector<cpp_value>& all);

}  // namespace abcl::cpp
