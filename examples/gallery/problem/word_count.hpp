// A text, word by word, the five most frequent words of some, and those of the whole text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

inline constexpr std::uint64_t vocabulary = 20'000;

// The number of the word at a place of the text: k about 1 / k times as often as 1.
inline std::uint64_t word_at(std::uint64_t place) {
  const double between_0_and_1 = std::ldexp(static_cast<double>(splitmix64(place) >> 11), -53);
  return static_cast<std::uint64_t>(std::pow(static_cast<double>(vocabulary), between_0_and_1));
}

inline std::string spell(std::uint64_t number) {
  std::string word;
  for (; number != 0; number /= 80) {
    word += "bdfghjklmnprstvz"[number % 16];
    word += "aeiou"[number / 16 % 5];
  }
  return word;
}

using entry = std::pair<std::string, long>;

inline std::vector<entry> five_most_frequent(std::vector<entry> words) {
  const auto comes_first = [](const entry& a, const entry& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  std::ranges::sort(words, comes_first);
  words.resize(std::min<std::size_t>(words.size(), 5));
  return words;
}

inline std::vector<entry> counted_serially(std::uint64_t length) {
  std::unordered_map<std::string, long> all;
  for (std::uint64_t i = 0; i < length; ++i) ++all[spell(word_at(i))];
  return five_most_frequent({all.begin(), all.end()});
}
