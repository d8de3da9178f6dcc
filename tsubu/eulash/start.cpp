#include "tsubu/eulash/start.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/data/profile/profile.hpp"
#include "tsubu/data/space.hpp"
#include "tsubu/eulash/emitted.h"
#include "tsubu/eulash/globals.hpp"
#include "tsubu/eulash/heap.hpp"
#include "tsubu/eulash/thread_uses.hpp"
#include "tsubu/eulash/threads.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/run/run.hpp"

extern "C" {
extern const eulash_recorded_run eulash_recorded __attribute__((weak));
}

namespace tsubu::placed {
namespace {

int (*main_of_program)(int, char**) = nullptr;

// Three digits and a unit.
std::string duration(double ns) {
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  return ns < 1e9 ? fmt::format("{:.3g} ms", ns / 1e6) : fmt::format("{:.3g} s", ns / 1e9);
}

// What was predicted when the program was built, and what has come.
void tell_gain(std::int64_t took_ns) {
  const eulash_recorded_run& before = eulash_recorded;
  const bool as_many = before.processes == pe_count();
  const std::string told =
      fmt::format("tsubu: placed by {}: that run took {}, {} were predicted, this one took {}{}\n", before.profile,
                  duration(before.took_ns), duration(before.predicted_ns), duration(static_cast<double>(took_ns)),
                  as_many ? "" : fmt::format(" on {} processes instead of {}", pe_count(), before.processes));
  std::fputs(told.c_str(), stderr);
}

const eulash_site arguments_site{{"the command line", "main", 0, 0}, "argv", EULASH_INVALIDATE, 0};

// The words and the table of their addresses, which any thread may read: in shared memory.
char** shared_arguments(const arguments& words) {
  std::vector<std::uint64_t> table;
  for (const std::string& word : words) {
    const std::uint64_t at = heaps->allocate(word.size() + 1, 1, arguments_site, false);
    std::memcpy(views->at(at), word.c_str(), word.size() + 1);
    table.push_back(views->where.address_of(at));
  }
  table.push_back(0);
  const std::uint64_t at = heaps->allocate(table.size() * sizeof table[0], 1, arguments_site, false);
  std::memcpy(views->at(at), table.data(), table.size() * sizeof table[0]);
  return reinterpret_cast<char**>(views->where.address_of(at));
}

task<int> program(arguments words) {
  make_globals();
  char** const argv = shared_arguments(words);
  const int code = co_await run_main(main_of_program, static_cast<int>(words.size()), argv);
  if (records_a_profile()) data::this_space().recorded->add_part("threads", co_await text_of_uses());
  if (&eulash_recorded != nullptr) tell_gain(now_ns() - remote::current_pe->accounts.began_ns());
  co_return code;
}

}  // namespace

int start(int argc, char** argv, int (*main)(int, char**)) {
  main_of_program = main;
  lay_out_globals(EULASH_BASE);
  lay_out_own_variables();
  return run(argc, argv, program);
}

}  // namespace tsubu::placed
