// The text of a class, or of a function.
#pragma once

#include "abcl/messages/tables.hpp"

namespace abcl::messages {

struct role {
  bool has_name = true;   // places in it show the name of the class
  bool is_start = false;  // the program starts with an object of it
};
void add_class_text(tables& to, const class_def& c, const role& in_program);
void add_function_text(tables& to, const function_def& f);

}  // namespace abcl::messages
