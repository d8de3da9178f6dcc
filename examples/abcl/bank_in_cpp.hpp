// The second part of bank_in_cpp.cpp, which has the header of bank.abcl, too.
#pragma once

#include <vector>

#include "bank.hpp"
#include "tsubu/task/task.hpp"

// What all accounts have together.
tsubu::task<abcl::integer> audit(const std::vector<tsubu::ref<bank::Account>>& accounts);
