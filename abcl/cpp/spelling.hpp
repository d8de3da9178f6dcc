// How small things are spelt in C++: literals, lists, brackets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace abcl::cpp {

std::string number(std::int64_t n);
std::string number(double x);
// As a string of C++.
std::string quoted(std::string_view text);
// With a backslash before quotes and backslashes, as a directive has the name of a file.
std::string escaped(std::string_view text);

// Adds one to a list with commas.
void append(std::string& list, std::string_view each);
std::string joined(const std::vector<std::string>& all);

// Without the brackets around all of it.
std::string without_brackets(const std::string& cpp);

}  // namespace abcl::cpp
