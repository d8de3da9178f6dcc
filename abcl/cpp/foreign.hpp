// What an ABCL/ST program has of C++: a function that calls the function, and a class derived from the class, each at
// the line of its declaration, so that the C++ compiler names that when it says what does not fit.
#pragma once

#include <string>

#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/unit.hpp"

namespace abcl::cpp {

std::string foreign_includes(const translation_unit& to);
void foreign_function(translation_unit& to, const function_def& f);
std::string foreign_base(const class_plan& c);
void foreign_constructor(translation_unit& to, const class_plan& c);
void foreign_method(translation_unit& to, const method& m, const entry& e);

}  // namespace abcl::cpp
