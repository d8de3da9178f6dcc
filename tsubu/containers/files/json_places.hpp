// Which values of a line of JSON are asked for: a tree, so that ways to them that begin alike are walked once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tsubu::containers {

// A value, by the way that leads to it from the one above: a key of an object, or an index of an array.
struct json_place {
  static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

  std::string key = {};
  std::size_t index = no_index;  // what the key is as an index
  std::size_t number = 0;        // among all places, the whole value being the first
  std::vector<std::size_t> columns = {};
  std::vector<json_place> inner = {};
};

// A column is a key of the line's object; a pointer of RFC 6901, which begins with '/'; or empty: the whole value.
// Throws data_file_error of what begins with '/' and is no pointer.
json_place json_places(const std::vector<std::string>& columns);

}  // namespace tsubu::containers
