// A hash table spread over all PEs.
//
// A key lives on the PE that its hash names. Updates are past messages: no lock, no reply, one per
// datum. Look-ups are futures, so that many are under way at once.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

using namespace tsubu;

pe_local<std::unordered_map<std::string, long>> table;  // of the words that live here

class word_counts {
 public:
  void add(const std::string& word, long n) const { at(home_of(word)).past<add_here>(word, n); }
  future<long> count(const std::string& word) const { return at(home_of(word)).future<count_here>(word); }

  static long words_here() { return std::ssize(*table); }

 private:
  static void add_here(std::string word, long n) { (*table)[word] += n; }
  static long count_here(std::string word) {
    const auto found = table->find(word);
    return found == table->end() ? 0 : found->second;
  }
};

task<int> program(arguments) {
  constexpr int words = 2000;
  constexpr int rounds = 5;
  const word_counts counts;

  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < words; ++i) counts.add("word" + std::to_string(i), i);
    co_await room_everywhere();  // a breath now and then, if the network is full
  }
  co_await quiescence();  // all updates of all PEs are in

  std::vector<future<long>> answers;
  for (int i = 0; i < words; ++i) answers.push_back(counts.count("word" + std::to_string(i)));
  bool right = true;
  long i = 0;
  for (future<long>& n : answers) right = right && co_await n == i++ * rounds * pe_count();
  right = right && co_await counts.count("no such word") == 0;

  const long stored = co_await all_reduce(word_counts::words_here(), reduce::plus);
  right = right && stored == words;
  if (this_pe() == 0) std::printf("%ld words on %d PEs\n", stored, pe_count());
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
