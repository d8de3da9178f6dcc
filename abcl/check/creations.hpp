// Creations: (new Class argument ... :on node).
#pragma once

#include "abcl/check/context.hpp"

namespace abcl {

expression_ptr creation_form(const context& at, const form& f, const type* wanted);

}  // namespace abcl
