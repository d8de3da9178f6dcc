// What was found out about each variable and each allocation, and where it is placed for that.
#pragma once

#include <string>

#include "eulash/analysis/sharing.hpp"

namespace eulash {

// A line for each, in the form of a compiler's notes; then what could not be told.
std::string explained(const facts& f, const shared_objects& proven);

}  // namespace eulash
