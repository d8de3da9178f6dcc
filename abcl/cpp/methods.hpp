// Methods: what a class of objects has in C++, one for each message of its interface.
#pragma once

#include "abcl/cpp/unit.hpp"

namespace abcl::cpp {

void write_methods(translation_unit& to, const class_plan& c);

}  // namespace abcl::cpp
