// What a program's own text says of itself: the names of its types, and its string literals.
#pragma once

#include <cstdint>
#include <string>
#include <typeinfo>

namespace tsubu {

// The name in the source of what the compiler calls `mangled`, or that again: "std::plus<int>".
std::string readable(const char* mangled);
inline std::string readable(const std::type_info& type) { return readable(type.name()); }

// How far from the start of the program's main file a literal or a function of it is: the same number in all processes
// that run the program, wherever each has loaded it. 0: it is in a shared library.
std::int32_t program_offset(const void* what);
// The literal there; "an unknown file" for 0 and for what is no text in the program.
std::string text_at(std::int32_t offset);

}  // namespace tsubu
