// The printed forms of both languages.
#pragma once

#include <string>

#include "abcl/code/code.hpp"
#include "abcl/code/names.hpp"

namespace abcl::code {

// The language of messages: all texts, block by block.
std::string shown(const program& p);

}  // namespace abcl::code
