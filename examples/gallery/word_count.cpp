// Counts the words of a text in which few words are frequent and many are rare, and prints the five most frequent ones.
//
// The text is dealt out to the PEs, and each word has a home, which its hash names. Each word that is read goes there,
// a message each, and is counted. Then each PE names its own five most frequent words, and PE 0 chooses among these.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "examples/gallery/problem/word_count.hpp"

using namespace tsubu;

pe_local<std::unordered_map<std::string, long>> counts;

void count_word(std::string word) { ++(*counts)[std::move(word)]; }

task<int> program(arguments args) {
  const auto length = args.number<std::uint64_t>(1, 500'000);

  for (const std::uint64_t i : part_of(length)) {
    const std::string word = spell(word_at(i));
    co_await at(home_of(word)).past<count_word>(word);
  }
  co_await quiescence();

  std::vector<entry> found;
  for (const auto& of_pe : co_await gather(five_most_frequent({counts->begin(), counts->end()}))) {
    found.insert(found.end(), of_pe.begin(), of_pe.end());
  }
  if (this_pe() != 0) co_return 0;
  found = five_most_frequent(found);
  for (const auto& [word, n] : found) std::printf("%6ld times %s\n", n, word.c_str());
  if (found == counted_serially(length)) co_return 0;
  std::printf("This is not what counting on one PE says.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
