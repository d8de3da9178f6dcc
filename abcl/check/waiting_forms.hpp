// Reply boxes, which `sync` waits for, and futures.
//
// A box takes whatever its destination `(@ r)` is expected to take: where an (@ S) is expected, values of S may come.
// So the type of the box is the least that all of these fit. It is known only behind the forms of the `sync`.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

// (@ r).
expression_ptr destination_form(const context& at, const form& f, const type* wanted);
// (sync r ...) and (sync2 r ...).
expression_ptr sync_form(const context& at, const form& f, const type* wanted);
expression_ptr sync_all_form(const context& at, const form& f, const type* wanted);
expression_ptr make_future_form(const context& at, const form& f, const type* wanted);
// (touch f), (next-value f) and (ready? f).
expression_ptr of_future_form(const context& at, const form& f, const type* wanted);

}  // namespace abcl
