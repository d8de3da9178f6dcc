// What is put into containers by our benchmark and its peers: keys that are made beforehand, and what must have come of
// them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/workload.hpp"

namespace bench {

// Words of 4 to 12 letters; few of them come often: the cube of a uniform number names the next.
inline constexpr std::size_t vocabulary_size = 100'000;

inline std::vector<std::string> make_vocabulary() {
  std::vector<std::string> words;
  random_source random(7);
  for (std::size_t i = 0; i < vocabulary_size; ++i) {
    std::string word;
    for (std::uint64_t left = 4 + i % 9; left > 0; --left) word += static_cast<char>('a' + random.next() % 26);
    words.push_back(std::move(word));
  }
  return words;
}

// The keys of one PE of several, `count` of them, by the name of what is measured:
//   insert    all different, on all PEs
//   visit     uniform, a quarter as many different ones as there are visits in all
//   uniform   uniform, below twice as many as there are in all; also of `set`
//   words     numbers of words
inline std::vector<std::uint64_t> make_keys(std::string_view what, std::size_t count, std::size_t pe, std::size_t pes) {
  std::vector<std::uint64_t> keys(count);
  random_source random(pe + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (what == "insert") {
      keys[i] = random_source(i * pes + pe).next();
    } else if (what == "words") {
      const double u = std::ldexp(static_cast<double>(random.next() >> 11), -53);
      keys[i] = static_cast<std::uint64_t>(u * u * u * static_cast<double>(vocabulary_size));
    } else {
      const std::uint64_t different = what == "visit" ? (count * pes + 3) / 4 : 2 * count * pes;
      keys[i] = random_source(random.next() % different).next();
    }
  }
  return keys;
}

// What a table holds, whatever its order: how many keys, and the sum of their values, of which each is 1 for each time
// that its key came.
struct container_sums {
  std::uint64_t keys = 0, values = 0;
};

}  // namespace bench
