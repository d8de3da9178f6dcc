// What our benchmark of sorting and its peers sort: numbers, or texts of 8 to 23 letters, made beforehand; and what
// must have come of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/workload.hpp"

namespace bench {

template <class T>
T sort_key(random_source& random);
template <>
inline std::uint64_t sort_key(random_source& random) {
  return random.next();
}
template <>
inline std::string sort_key(random_source& random) {
  std::string text(8 + random.next() % 16, ' ');
  for (char& c : text) c = static_cast<char>('a' + random.next() % 26);
  return text;
}

// Those of one PE of several.
template <class T>
std::vector<T> make_sort_keys(std::size_t count, std::size_t pe) {
  random_source random(pe + 1);
  std::vector<T> keys(count);
  for (T& key : keys) key = sort_key<T>(random);
  return keys;
}

// The same for two vectors with the same elements, whatever their order.
inline std::uint64_t sum_of(const std::vector<std::uint64_t>& keys) {
  std::uint64_t sum = 0;
  for (const std::uint64_t key : keys) sum += random_source(key).next();
  return sum;
}
inline std::uint64_t sum_of(const std::vector<std::string>& keys) {
  std::uint64_t sum = 0;
  for (const std::string& key : keys) sum += random_source(std::hash<std::string>()(key)).next();
  return sum;
}

}  // namespace bench
