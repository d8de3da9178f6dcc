// Forms with clauses: how an object takes messages, and how a value is taken apart.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

expression_ptr script_form(const context& at, const form& f, const type* wanted);
expression_ptr wait_for_form(const context& at, const form& f, const type* wanted);
expression_ptr match_form(const context& at, const form& f, const type* wanted);

}  // namespace abcl
