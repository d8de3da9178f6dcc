// A folder with a saved state: a file "list", and the part files that it tells of, in a folder of their own,
// "parts.7": "0.3" is what PE 3 had of the first container.
//
// Another state is written into another such folder, "parts.8.new", which gets its final name when it is whole; it has
// been saved when its list takes the place of the list that is there, in one step. So whoever ends the job when, there
// is a whole state, the old one or the new one, and nothing half-written under a final name; what is left of one that
// was never whole goes with the next. PE 0 does all that is said here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tsubu/base/types.hpp"
#include "tsubu/containers/saving/saved_state.hpp"

namespace tsubu::containers {

// Local; may block while the disk works; each but discard() throws data_file_error.
class state_folder {
 public:
  // Names of part files end with the suffix, for whoever reads them without the list.
  explicit state_folder(std::string name, std::string suffix = {})
      : name_(std::move(name)), suffix_(std::move(suffix)) {}

  std::string list() const { return name_ + "/list"; }
  std::string part(std::uint64_t state, std::size_t container, std::size_t pe) const {
    return parts_of(state) + file_of(container, pe);
  }
  // Its name until it is published.
  std::string new_part(std::uint64_t state, std::size_t container, std::size_t pe) const {
    return new_parts_of(state) + file_of(container, pe);
  }

  // Makes room for a new state, whose number it gives: the folder, which has nothing else than a state, and one for
  // its part files. `type` is that of the state's first container. Saved containers take the place of saved containers,
  // and data files that of data files: a state may be all that is left of a job, and a name is soon mistaken.
  std::uint64_t begin(std::string_view type) const;
  // The part files of the state are on the disk: from now on it is what the folder has, and all others go.
  void publish(const saved_state& state) const;
  // It will not be published.
  void discard(std::uint64_t state) const;

  saved_state read() const;

 private:
  std::string parts_of(std::uint64_t state) const { return name_ + "/parts." + std::to_string(state); }
  std::string new_parts_of(std::uint64_t state) const { return parts_of(state) + ".new"; }
  std::string file_of(std::size_t container, std::size_t pe) const {
    return '/' + std::to_string(container) + '.' + std::to_string(pe) + suffix_;
  }
  std::string new_list() const { return list() + ".new"; }
  void refuse_to_replace_others(std::string_view type) const;
  void remove_others(std::uint64_t than) const;

  std::string name_, suffix_;
};

}  // namespace tsubu::containers
