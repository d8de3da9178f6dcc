#include "tsubu/containers/files/json_places.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "tsubu/containers/files/error.hpp"

namespace tsubu::containers {
namespace {

// A part of a pointer, in which ~1 stands for '/' and ~0 for '~'.
std::string key_of_pointer(std::string_view escaped, const std::string& column) {
  std::string key;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '~') {
      key += escaped[i];
      continue;
    }
    ++i;
    if (i == escaped.size() || (escaped[i] != '0' && escaped[i] != '1'))
      throw data_file_error("ndjson(): column \"" + column + "\": in a JSON pointer 0 or 1 stands behind '~'");
    key += escaped[i] == '0' ? '~' : '/';
  }
  return key;
}

std::vector<std::string> way_to(const std::string& column) {
  if (column.empty()) return {};
  if (column[0] != '/') return {column};
  std::vector<std::string> keys;
  for (std::size_t begin = 1; begin <= column.size();) {
    const std::size_t end = std::min(column.find('/', begin), column.size());
    keys.push_back(key_of_pointer(std::string_view(column).substr(begin, end - begin), column));
    begin = end + 1;
  }
  return keys;
}

// Digits, with no zero in front.
std::size_t index_of(const std::string& key) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  const bool is_one = error == std::errc() && end == key.data() + key.size() && (key.size() == 1 || key[0] != '0');
  return is_one ? index : json_place::no_index;
}

}  // namespace

json_place json_places(const std::vector<std::string>& columns) {
  json_place whole;
  std::size_t places = 1;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    json_place* at = &whole;
    for (const std::string& key : way_to(columns[column])) {
      auto known = std::find_if(at->inner.begin(), at->inner.end(), [&](const json_place& p) { return p.key == key; });
      if (known == at->inner.end()) {
        at->inner.push_back({.key = key, .index = index_of(key), .number = places++});
        known = at->inner.end() - 1;
      }
      at = &*known;
    }
    at->columns.push_back(column);
  }
  return whole;
}

}  // namespace tsubu::containers
