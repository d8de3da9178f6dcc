// What has been saved into a folder: its list, a text that names the version, the containers by what their elements
// are, and of each part file how many elements and bytes it has, and their checksum. It ends with a checksum of its
// own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/containers/saving/part_file.hpp"

namespace tsubu::containers {

struct saved_container {
  std::string type;  // "map of text to i64"
  std::vector<saved_part> parts;

  template <class Archive>
  void serialize(Archive& a) {
    a(type, parts);
  }
};

struct saved_state {
  std::uint64_t number = 0;  // of all that have been saved into the folder
  std::vector<saved_container> containers;

  template <class Archive>
  void serialize(Archive& a) {
    a(number, containers);
  }
};

std::string text_of(const saved_state& state);

// The state that a list tells of; or `why` it is none.
bool read_state(std::string_view text, saved_state& state, std::string& why);

}  // namespace tsubu::containers
