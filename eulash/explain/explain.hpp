// What was found out about each variable and each allocation, and where it is placed for that.
#pragma once

#include <string>

#include "eulash/analysis/sharing.hpp"
#include "eulash/profile/run_profile.hpp"

namespace eulash {

// A line for each, in the form of a compiler's notes; then what could not be told. `recorded`: of an earlier run, or
// null.
std::string explained(const facts& f, const shared_objects& proven, const run_profile* recorded = nullptr);

// How each variable and each allocation that the run had was kept, and is from now on, if that is another way; and what
// is predicted for it. Throws std::runtime_error if nothing of the program was recorded.
std::string changed_by(const facts& f, const shared_objects& proven, const run_profile& recorded);

}  // namespace eulash
