// What --tsubu-stats tells of each container at the end of a job: how many elements and bytes it has, or had when it
// ended, how evenly they lie, and the key that has much more of them than its part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/data/settings.hpp"

namespace tsubu::containers {

// What one PE has of a container.
struct part_figures {
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
  // Where each key has a number of values, or came so often:
  std::uint64_t keys = 0, of_all_keys = 0, of_one_key = 0;  // the most
  std::string that_key;
};

// Every PE, in the same order: figures() tells of the container's part, if it is there.
void account_for(std::string type, std::uint16_t which, part_figures (*figures)(std::uint16_t),
                 std::source_location made);
// It ends: what it has now is told.
void account_for_end(std::uint16_t which, part_figures (*figures)(std::uint16_t));

// ---- what lies outside an element's own bytes: as far as it is text, or vectors

template <class T>
std::size_t bytes_behind(const T&) {
  return 0;
}
inline std::size_t bytes_behind(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}
template <class A, class B>
std::size_t bytes_behind(const std::pair<A, B>& pair);
template <class T>
std::size_t bytes_behind(const std::vector<T>& elements) {
  std::size_t bytes = elements.capacity() * sizeof(T);
  for (const T& element : elements) bytes += bytes_behind(element);
  return bytes;
}
template <class A, class B>
std::size_t bytes_behind(const std::pair<A, B>& pair) {
  return bytes_behind(pair.first) + bytes_behind(pair.second);
}

// ---- which key has most

inline std::string key_text(const std::string& key) { return '"' + key.substr(0, 40) + '"'; }
template <class K>
std::string key_text(const K& key) {
  if constexpr (requires { std::to_string(key); }) {
    return std::to_string(key);
  } else {
    return "a key";
  }
}

inline std::uint64_t times_of(std::int64_t count) { return count > 0 ? static_cast<std::uint64_t>(count) : 0; }
template <class V>
std::uint64_t times_of(const std::vector<V>& values) {
  return values.size();
}

template <class Part>
part_figures figures_of(const Part& part) {
  part_figures found;
  found.elements = part.size();
  found.bytes = part.table_bytes();
  for (const auto& element : part.elements()) {
    found.bytes += bytes_behind(element);
    if constexpr (Part::counts_by_key) {
      const std::uint64_t times = times_of(element.second);
      ++found.keys;
      found.of_all_keys += times;
      if (times <= found.of_one_key) continue;
      found.of_one_key = times;
      found.that_key = key_text(element.first);
    }
  }
  return found;
}

}  // namespace tsubu::containers
