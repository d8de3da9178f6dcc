// Makes of a threads program one on shared memory that has to be asked for: accesses, globals, calls, loops.
#pragma once

#include <string>
#include <vector>

#include "eulash/rewrite/decisions.hpp"
#include "eulash/rewrite/editor.hpp"

namespace eulash {

// Notes all changes of one file, and of the headers that it includes.
void rewrite(const parsed& p, const decisions& d, editor& to, std::vector<refusal>& refused);

}  // namespace eulash
