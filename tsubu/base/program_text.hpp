// What a program's own text says of itself: the names of its types, and its string literals.
#pragma once

#include <cstdint>
#include <string>
#include <typeinfo>

namespace tsubu {

// The name in the source of what the compiler calls `mangled`, or that again: "std::plus<int>".
std::string readable(const char* mangled);
inline std::string readable(const std::type_info& type) { return readable(type.name()); }

// Where a literal of the program's main file is, from the file's start: the same number in all processes that run it,
// wherever each has loaded it. 0: in a shared library.
std::int32_t literal_number(const char* literal);
// The literal of that number; "an unknown file" for 0 and for what is no text in the program.
std::string literal_of(std::int32_t number);

}  // namespace tsubu
