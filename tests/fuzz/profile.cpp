// Profiles of shared data, as --tsubu-use-profile reads them: the text of one.
#include "tests/fuzz/input.hpp"
#include "tsubu/data/profile/profile_file.hpp"

namespace tsubu::fuzz {

void read_input(bytes input) {
  data::profile_settings s;
  s.program = "p";
  s.used_file = "p.json";
  data::take_known_sites(s, text_of(input));
  expect(s.use != nullptr, "a profile that is read and not known");
}

}  // namespace tsubu::fuzz
