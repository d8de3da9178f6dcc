// Counts the words of a text in which few words are frequent and many are rare, and prints the five most frequent ones.
//
// The text is dealt out to the PEs, and each word has a home, which its hash names. Each word that is read goes there,
// a message each, and is counted. Then each PE names its own five most frequent words, and PE 0 chooses among these.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace tsubu;

constexpr std::uint64_t vocabulary = 20'000;

// The number of the word at a place of the text: k about 1 / k times as often as 1.
std::uint64_t word_at(std::uint64_t place) {
  std::uint64_t x = (place + 1) * 0x9e3779b97f4a7c15;  // splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  const double between_0_and_1 = std::ldexp(static_cast<double>((x ^ (x >> 31)) >> 11), -53);
  return static_cast<std::uint64_t>(std::pow(static_cast<double>(vocabulary), between_0_and_1));
}

std::string spell(std::uint64_t number) {
  std::string word;
  for (; number != 0; number /= 80) {
    word += "bdfghjklmnprstvz"[number % 16];
    word += "aeiou"[number / 16 % 5];
  }
  return word;
}

using entry = std::pair<std::string, long>;

std::vector<entry> five_most_frequent(std::vector<entry> words) {
  const auto comes_first = [](const entry& a, const entry& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  std::ranges::sort(words, comes_first);
  words.resize(std::min<std::size_t>(words.size(), 5));
  return words;
}

std::vector<entry> counted_serially(std::uint64_t length) {
  std::unordered_map<std::string, long> all;
  for (std::uint64_t i = 0; i < length; ++i) ++all[spell(word_at(i))];
  return five_most_frequent({all.begin(), all.end()});
}

pe_local<std::unordered_map<std::string, long>> counts;

void count_word(std::string word) { ++(*counts)[std::move(word)]; }

task<int> program(arguments args) {
  const std::uint64_t length = args.size() > 1 ? std::stoull(args[1]) : 500'000;
  const auto me = static_cast<std::uint64_t>(this_pe()), pes = static_cast<std::uint64_t>(pe_count());

  for (std::uint64_t i = me; i < length; i += pes) {
    const std::string word = spell(word_at(i));
    co_await at(static_cast<pe_id>(std::hash<std::string>()(word) % pes)).past<count_word>(word);
  }
  co_await quiescence();

  std::vector<entry> found;
  for (const auto& of_pe : co_await gather(five_most_frequent({counts->begin(), counts->end()}))) {
    found.insert(found.end(), of_pe.begin(), of_pe.end());
  }
  if (me != 0) co_return 0;
  found = five_most_frequent(found);
  for (const auto& [word, n] : found) std::printf("%6ld times %s\n", n, word.c_str());
  if (found == counted_serially(length)) co_return 0;
  std::printf("This is not what counting on one PE says.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
