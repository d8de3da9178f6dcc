// Forms that say what is done, in which order, and how it ends.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

expression_ptr if_form(const context& at, const form& f, const type* wanted);
expression_ptr begin_form(const context& at, const form& f, const type* wanted);
expression_ptr while_form(const context& at, const form& f, const type* wanted);
expression_ptr for_form(const context& at, const form& f, const type* wanted);
expression_ptr let_form(const context& at, const form& f, const type* wanted);
expression_ptr atomic_form(const context& at, const form& f, const type* wanted);
expression_ptr exit_form(const context& at, const form& f, const type* wanted);
// (suicide) and (non-resume).
expression_ptr leave_form(const context& at, const form& f, const type* wanted);

}  // namespace abcl
