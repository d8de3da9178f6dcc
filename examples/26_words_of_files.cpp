// Counts the words of files, and prints the 100 most frequent: 26_words_of_files NAME_OR_PATTERN...
//
// Each PE reads the lines that begin in its part of the files' bytes.
#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

using namespace tsubu;

task<int> program(arguments args) {
  auto words = co_await create_counting_set<std::string>();
  auto text = co_await lines(std::vector(args.begin() + 1, args.end()));
  for (const std::string_view line : text) {
    for (const auto word : std::views::split(line, ' ')) {
      if (!word.empty()) co_await words.insert(std::string(word.begin(), word.end()));
    }
  }
  co_await quiescence();

  const auto top = co_await words.top_k(100);
  if (this_pe() == 0) {
    for (const auto& [word, n] : top) std::printf("%9ld times %s\n", n, word.c_str());
  }
  co_return 0;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
