// The checker: from forms to a typed program. Finds as many errors as there are, none of which follows from another.
#pragma once

#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/read/form.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

// Takes all files of a program, in any order. Their forms have to live as long as the program.
std::unique_ptr<program> check(const std::vector<const forms*>& files, diagnostics& into);

// The names of all forms and operators: if, sync2, +.
std::vector<std::string_view> forms_of_the_language();

}  // namespace abcl
