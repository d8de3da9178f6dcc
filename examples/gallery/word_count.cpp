// Counts the words of a text in which few words are frequent and many are rare, and prints the five most frequent ones.
//
// The text is dealt out to the PEs, which insert its words into a counting set: each word has a home, which its hash
// names, and those that repeat are merged before they leave their PE. Then each PE names its own five most frequent
// words, and all choose among these.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/word_count.hpp"

using namespace tsubu;

task<int> program(arguments args) {
  const auto length = args.number<std::uint64_t>(1, 500'000);

  auto words = co_await create_counting_set<std::string>();
  for (const std::uint64_t i : part_of(length)) co_await words.insert(spell(word_at(i)));
  co_await quiescence();

  const std::vector<entry> found = co_await words.top_k(5);
  if (this_pe() != 0) co_return 0;
  for (const auto& [word, n] : found) std::printf("%6ld times %s\n", n, word.c_str());
  if (found == counted_serially(length)) co_return 0;
  std::printf("This is not what counting on one PE says.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
