// The profile of a job as a file: what all PEs recorded, by place of declaration; and what a later job takes from it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/data/profile/profile.hpp"
#include "tsubu/data/profile/profile_format.hpp"

namespace tsubu::data {

// Which protocol was best where, in an earlier job.
class known_sites {
 public:
  explicit known_sites(std::map<place, protocol> best) : best_(std::move(best)) {}
  std::optional<protocol> best(const place& p) const {
    const auto found = best_.find(p);
    return found != best_.end() ? std::optional(found->second) : std::nullopt;
  }

 private:
  std::map<place, protocol> best_;
};

// Reads `used_file`. Ends the process with one line if it is no profile, of another version or of another program.
void read_known_sites(profile_settings& s);
// The same of the file's text.
void take_known_sites(profile_settings& s, std::string_view text);

// Ends the job if `file` cannot be written.
void check_writable(const profile_settings& s);

// What a PE gives at the end, and PE 0 takes: writes the file; says what adaptive variables chose, and which places the
// profile that was used does not know.
std::string text_of(const profile& of_pe);
// `parts`: of the file, by their names, as JSON.
void take_texts(const profile_settings& s, std::int64_t elapsed_ns, const std::vector<std::string>& of_pes,
                const std::map<std::string, std::string>& parts = {});

}  // namespace tsubu::data
