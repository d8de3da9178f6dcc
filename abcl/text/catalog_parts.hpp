// The texts of the catalog: two parts, whose numbers follow each other. Each text begins with a newline, which is not
// its own.
#pragma once

#include "abcl/text/catalog.hpp"

namespace abcl {

std::span<const explanation> explanations_of_forms();
std::span<const explanation> explanations_of_rules();

}  // namespace abcl
