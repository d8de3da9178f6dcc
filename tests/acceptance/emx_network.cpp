// Rows X12, X13, X14, X17, X18: what the EM-X paper says of its network, as a program meets it.
//   exchange  each PE writes a block into each other PE's memory, a packet for each word, its next neighbour first
//   groups    the same in another order of PEs: those with the own place in each other group, the next group's first,
//             then those with the next place
//   words     in that order too, but a word to each PE, then the next word
//   block N   an exchange of blocks of N words, and the barrier behind it
//   pair      PE 0 writes words to PE 1 as fast as it can
//   read      each PE, while all others wait, reads one word from each other PE
//   reduce    reductions, one after the other
//   own N     each PE writes N words to itself
// Method: the machine's own time. Where a row is about a rate, what begins and ends a measurement is taken out by the
// difference of two sizes.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "tests/acceptance/rows.hpp"

using namespace tsubu;

namespace {

constexpr double clocks_of_copied_word = 2.33;  // see sparse.cpp
constexpr int pes_of_group = 4;                 // as machines/emx.toml fills its groups

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

struct measured {
  std::vector<double> memory = std::vector<double>(1);
  std::vector<global_ptr<double>> memories;  // by PE; all words go to the one that is there

  task<void> prepare() { memories = co_await all_gather(share(std::span<double>(memory))); }

  // Nanoseconds of the PE that took longest, to the end of all.
  static task<std::int64_t> since(std::int64_t start_ns) {
    co_await barrier();
    const std::int64_t mine_ns = now_ns() - start_ns;
    co_return co_await all_reduce(mine_ns, reduce::max);
  }

  enum class order { numbers, groups };

  // The i-th of the others, i = 1, 2, ..
  static pe_id other(order by, int i) {
    if (by == order::numbers || pe_count() < pes_of_group) return (this_pe() + i) % pe_count();
    const int groups = pe_count() / pes_of_group;
    const int group = this_pe() / pes_of_group + i % groups, place = this_pe() % pes_of_group + i / groups;
    return group % groups * pes_of_group + place % pes_of_group;
  }

  // So many words to one PE before the next one's turn, until each has all.
  task<std::int64_t> exchange(int words_each, order by, int words_at_a_time) {
    co_await barrier();
    const std::int64_t start_ns = now_ns();
    for (int sent = 0; sent < words_each; sent += words_at_a_time) {
      for (int i = 1; i < pe_count(); ++i) {
        const auto to = memories[index(other(by, i))];
        for (int k = 0; k < words_at_a_time; ++k) {
          work(clocks_of_copied_word);
          co_await to.put(k);
        }
      }
    }
    co_return co_await since(start_ns);
  }

  task<std::int64_t> to_one(int words) {
    co_await barrier();
    const std::int64_t start_ns = now_ns();
    for (int k = 0; k < words && this_pe() == 0; ++k) co_await memories[1].put(k);
    co_return co_await since(start_ns);
  }

  task<double> clocks_of_read() {
    std::uint64_t sum = 0;
    for (pe_id reader = 0; reader < pe_count(); ++reader) {
      co_await barrier();
      for (pe_id i = 1; i < pe_count() && this_pe() == reader; ++i) {
        const std::uint64_t from = ticks();
        co_await memories[index((reader + i) % pe_count())].read();
        sum += ticks() - from;
      }
    }
    co_await barrier();
    const std::uint64_t all = co_await all_reduce(sum, reduce::plus);
    co_return static_cast<double>(all) / (static_cast<double>(pe_count()) * (pe_count() - 1));
  }

  static task<double> us_of_reduction() {
    constexpr int times = 20;
    co_await barrier();
    const std::int64_t start_ns = now_ns();
    for (int i = 0; i < times; ++i) co_await all_reduce(1.0, reduce::plus);
    const std::int64_t mine_ns = now_ns() - start_ns;
    co_return static_cast<double>(mine_ns) * 1e-3 / times;
  }

  task<void> to_myself(int words) {
    for (int k = 0; k < words; ++k) co_await memories[index(this_pe())].put(k);
    co_await barrier();
  }
};

pe_local<measured> state;  // longer than the program: what a PE puts may arrive after its last barrier

task<int> program(arguments words) {
  const std::string what = words.size() > 1 ? words[1] : "";
  measured& m = *state;
  co_await m.prepare();
  if (what == "exchange" || what == "groups" || what == "words") {
    constexpr int few = 50, many = 100;
    const auto by = what == "exchange" ? measured::order::numbers : measured::order::groups;
    const bool by_words = what == "words";
    const std::int64_t less_ns = co_await m.exchange(few, by, by_words ? 1 : few);
    const std::int64_t ns = co_await m.exchange(many, by, by_words ? 1 : many) - less_ns;
    if (this_pe() == 0)
      std::printf("RATE %s %d %.3f\n", what.c_str(), pe_count(),
                  (many - few) * (pe_count() - 1) * 1e3 / static_cast<double>(ns));
  } else if (what == "block" && words.size() > 2) {
    const int of_block = std::stoi(words[2]);
    const auto ns = static_cast<double>(co_await m.exchange(of_block, measured::order::numbers, of_block));
    if (this_pe() == 0) std::printf("RATE block %d %.3f\n", pe_count(), of_block * (pe_count() - 1) * 1e3 / ns);
  } else if (what == "pair") {
    constexpr int few = 1000, many = 11'000;
    const std::int64_t less_ns = co_await m.to_one(few);
    const std::int64_t ns = co_await m.to_one(many) - less_ns;
    if (this_pe() == 0) std::printf("RATE pair %d %.3f\n", pe_count(), (many - few) * 1e3 / static_cast<double>(ns));
  } else if (what == "read") {
    const double clocks = co_await m.clocks_of_read();
    if (this_pe() == 0) std::printf("CLOCKS read %d %.2f\n", pe_count(), clocks);
  } else if (what == "reduce") {
    const double us = co_await m.us_of_reduction();
    if (this_pe() == 0) std::printf("US reduce %d %.3f\n", pe_count(), us);
  } else if (what == "own" && words.size() > 2) {
    co_await m.to_myself(std::stoi(words[2]));
  } else {
    if (this_pe() == 0)
      std::fprintf(stderr, "emx_network: expected exchange, groups, words, block N, pair, read, reduce or own N\n");
    co_return 2;
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
