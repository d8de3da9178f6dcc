// Sends: which message of its target a send means, and what it replies.
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

// [target <= message], a past send, or [target <== message], a now send; `express`, if with `<<`.
expression_ptr send(const context& at, const form& f, op how, bool express);

}  // namespace abcl
