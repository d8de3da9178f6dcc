// Counts the words of a text, and finds the longest of each first letter: a counting set and a map, which are spread
// over the PEs.
//
// Words that repeat on a PE are merged before they leave it. A visitor runs where its key lives, and may send on.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <sstream>
#include <string>

using namespace tsubu;

// A line of the text: few words come often.
std::string line(std::size_t i) {
  return "the grain " + std::to_string(i % 7) + " of line " + std::to_string(i) + (i % 3 == 0 ? " the last" : "");
}

void keep_longer(const char&, std::string& longest, const std::string& word) {
  if (word.size() > longest.size()) longest = word;
}

task<int> program(arguments) {
  auto words = co_await create_counting_set<std::string>();
  auto longest = co_await create_map<char, std::string>();

  for (const std::size_t i : part_of(3000)) {
    std::istringstream text(line(i));
    for (std::string word; text >> word;) {
      co_await words.insert(word);
      co_await longest.past().visit<keep_longer>(word[0], word);
    }
  }
  co_await quiescence();

  const auto top = co_await words.top_k(3);
  if (this_pe() == 0) {
    for (const auto& [word, n] : top) std::printf("%5ld times %s\n", n, word.c_str());
  }
  for (const auto& [letter, word] : longest.here()) {
    if (letter == 'g') std::printf("PE %d: the longest word with %c is %s\n", this_pe(), letter, word.c_str());
  }
  const long lines = co_await words.now().count("line");
  co_return lines == 3000 && top.front().second == 4000 ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
