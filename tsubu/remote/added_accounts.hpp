// What several floors add to the accounts of every PE, as the one account that `accounting` knows of.
#pragma once

#include "tsubu/remote/accounting.hpp"

namespace tsubu::remote {

// On every PE in the same order, or on none; before the job's end. Once more changes nothing. `of_a_floor` lives as
// long as the program.
void add_account(const added_account& of_a_floor);

}  // namespace tsubu::remote
