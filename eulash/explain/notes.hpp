// What there is to say of each variable and each allocation: for lines as a compiler's, and for a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eulash/analysis/sharing.hpp"
#include "eulash/profile/run_profile.hpp"

namespace eulash {

struct note {
  place at;
  std::string what;  // its name and type
  sharing is = sharing::several;
  bool on_stack = false;   // and others are told where
  std::string_view where;  // it is placed
  std::string why;
  const recorded_site* recorded = nullptr;  // what an earlier run had of it, if that is known
};

// In the order of the text. `recorded`: of an earlier run, or null.
std::vector<note> notes_on(const facts& f, const shared_objects& proven, const run_profile* recorded);

}  // namespace eulash
