// What stands for a value in C++: an expression without effects, and what is known of it.
#pragma once

#include <string>
#include <utility>

namespace abcl::cpp {

struct cpp_value {
  cpp_value(std::string of) : text(std::move(of)) {}
  cpp_value(const char* of) : text(of) {}

  std::string text;
  bool is_compound = false;  // operators stand in it: where it is an operand, it needs brackets
  bool is_name = false;      // it is a variable
  bool is_constant = false;  // nothing that comes later changes it

  std::string operand() const { return is_compound ? '(' + text + ')' : text; }
};

inline cpp_value compound(std::string text) {
  cpp_value v(std::move(text));
  v.is_compound = true;
  return v;
}
inline cpp_value named(std::string variable) {
  cpp_value v(std::move(variable));
  v.is_name = true;
  return v;
}
inline cpp_value constant(std::string expression, bool is_name = true) {
  cpp_value v(std::move(expression));
  v.is_name = is_name;
  v.is_constant = true;
  return v;
}

}  // namespace abcl::cpp
