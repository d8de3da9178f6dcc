// Promise: PEs of a process read their words one after the other, each into variables of its own; what PEs complain of
// is printed once, whichever PE it is that complains. Method: threads that read at the same time, with a check that
// looks whether another one is inside, too; jobs whose PEs complain.
#include "apps/program/command_line.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <string>
#include <thread>
#include <vector>

#include "tsubu/remote/pe.hpp"

namespace program {
namespace {

tsubu::arguments words_of(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return tsubu::arguments(static_cast<int>(pointers.size()), pointers.data());
}

TEST(command_line, one_pe_reads_at_a_time) {
  constexpr int threads = 4, turns = 100;
  std::barrier all_are_here(threads);
  std::atomic<int> inside = 0, together = 0, read_well = 0;
  const auto look = [&](const std::string&) {
    if (++inside > 1) ++together;
    for (int i = 0; i < turns; ++i) std::this_thread::yield();
    --inside;
    return std::string();
  };
  std::vector<std::thread> pes;
  for (int pe = 0; pe < threads; ++pe) {
    pes.emplace_back([&, pe] {
      int number = 0;
      bool json = false;
      command_line options("Reads", "reads");
      options.add_option("--number", number, "").check(look);
      options.add_flag("--json", json, "");
      all_are_here.arrive_and_wait();
      const bool goes_on = !options.read(words_of({"reads", "--number", std::to_string(pe), "--json"}));
      if (goes_on && number == pe && json) ++read_well;
    });
  }
  for (std::thread& pe : pes) pe.join();
  EXPECT_EQ(together, 0);
  EXPECT_EQ(read_well, threads);
}

// A job of three PEs in a process of its own.
[[noreturn]] void run_and_exit(tsubu::task<int> (*on_each_pe)(tsubu::arguments)) {
  std::string words[] = {"reads", "--tsubu-pes=3", "--tsubu-transport=threads"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  std::exit(tsubu::run_spmd(static_cast<int>(pointers.size()), pointers.data(), on_each_pe));
}

TEST(complain, is_printed_once_for_all_pes) {
  EXPECT_EXIT(run_and_exit([](tsubu::arguments) -> tsubu::task<int> { co_return complain("reads", "no\nfile"); }),
              testing::ExitedWithCode(bad_input), "^reads: no\\\\nfile\n$");
}

TEST(complain, is_printed_where_pe_0_has_nothing_to_say) {
  EXPECT_EXIT(run_and_exit([](tsubu::arguments) -> tsubu::task<int> {
                co_return tsubu::this_pe() == 1 ? complain("reads", "no file") : 0;
              }),
              testing::ExitedWithCode(bad_input), "^reads: no file\n$");
}

}  // namespace
}  // namespace program
