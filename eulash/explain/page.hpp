// The sources of a program as one page of HTML that stands alone: beside each line the placement of what it declares or
// allocates, and which shared data it reads and writes.
#pragma once

#include <map>
#include <string>

#include "eulash/analysis/sharing.hpp"
#include "eulash/profile/run_profile.hpp"

namespace eulash {

// By it the file is known.
inline constexpr const char* page_begins = "<!DOCTYPE html>\n<title>eulash: ";

// `texts`: of the files, by the names that places have. `recorded`: of an earlier run, or null.
std::string page_of(const facts& f, const shared_objects& proven, const run_profile* recorded,
                    const std::map<std::string, std::string>& texts);

}  // namespace eulash
