// From the sources of a threads program to those of a placed one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eulash/analysis/sharing.hpp"
#include "eulash/profile/run_profile.hpp"
#include "eulash/refuse/refusal.hpp"
#include "eulash/source/program.hpp"

namespace eulash {

// What is known of a program once its macros are out of the way.
struct understood {
  std::unique_ptr<facts> known = std::make_unique<facts>();
  std::unique_ptr<shared_objects> proven;  // from it
  std::vector<refusal> refused;
};

// Nothing if Clang has found errors, which it has told. Uses of macros are replaced in `in`.
std::optional<understood> understand(program& in);

struct translated_file {
  std::string from, name, text;  // `name` without a folder
  bool is_header = false;
};
// The new texts. What shows only now that cannot be translated is added to what is refused. With what an earlier run
// has recorded, data are kept as would have been best there.
std::vector<translated_file> translate(const program& in, understood& what, const run_profile* recorded = nullptr);

}  // namespace eulash
