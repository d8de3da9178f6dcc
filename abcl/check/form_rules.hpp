// The rules of forms: each is given the parts that it may have (special_forms.hpp), and makes what the form means.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

using form_rule = expression_ptr(const context& at, const form& f, const type* wanted);

// control_forms.cpp: what is done, in which order, and how it ends. leave_form is for (suicide) and (non-resume).
form_rule if_form, cond_form, begin_form, while_form, for_form, break_form, let_form, atomic_form, exit_form,
    leave_form;

// value_forms.cpp: values are made, looked at, and shown. node_form is for (my-node) and (num-node).
form_rule print_form, expect_form, node_form, array_form, written_array_form, element_form, subarray_form, length_form,
    null_form;

// waiting_forms.cpp: reply boxes, which `sync` waits for, and futures. destination_form is for (@ r), sync_form for
// (sync r
// ...) and (sync2 r ...), of_future_form for (touch f), (next-value f) and (ready? f).
form_rule destination_form, sync_form, sync_all_form, make_future_form, of_future_form;

// clauses.cpp: how an object takes messages, and how a value is taken apart.
form_rule script_form, wait_for_form, match_form;

// creations.cpp: (new Class argument ... :on node).
form_rule creation_form;

}  // namespace abcl
