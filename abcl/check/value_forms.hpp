// Forms that make values, look at them, and show them.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

expression_ptr print_form(const context& at, const form& f, const type* wanted);
expression_ptr expect_form(const context& at, const form& f, const type* wanted);
// (my-node) and (num-node).
expression_ptr node_form(const context& at, const form& f, const type* wanted);
expression_ptr array_form(const context& at, const form& f, const type* wanted);
expression_ptr element_form(const context& at, const form& f, const type* wanted);
expression_ptr length_form(const context& at, const form& f, const type* wanted);
expression_ptr null_form(const context& at, const form& f, const type* wanted);

}  // namespace abcl
