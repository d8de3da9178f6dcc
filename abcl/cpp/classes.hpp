// Classes: what each declares, how its objects begin.
#pragma once

#include "abcl/cpp/unit.hpp"

namespace abcl::cpp {

void declare_class(translation_unit& to, const class_plan& c);
// Its constructor, where that has something to do, and the coroutine that runs as its first message, if there is one.
void write_beginning(translation_unit& to, const class_plan& c);

}  // namespace abcl::cpp
