// Promise: programs that share nothing can run one after the other in one job, and none leaves anything behind that the
// next one notices. Each program's own promise is told at its head.
#include "tests/programs/together.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

std::vector<const test::joined_program*> all_by_name() {
  std::vector<const test::joined_program*> all;
  for (const auto* p = test::joined_program::first(); p != nullptr; p = p->next()) all.push_back(p);
  std::sort(all.begin(), all.end(),
            [](const auto* a, const auto* b) { return std::string_view(a->name()) < b->name(); });
  return all;
}

// "together", or names with commas between them.
bool is_one_of(const test::joined_program& one, std::string_view names) {
  return names == "together" ||
         ("," + std::string(names) + ",").find("," + std::string(one.name()) + ",") != std::string::npos;
}

// On every PE, but the programs that run on PE 0 do so here, too; the other PEs wait and answer messages.
task<int> together(arguments args) {
  for (const test::joined_program* one : all_by_name()) {
    if (!is_one_of(*one, args[1])) continue;
    say_once("running {}", one->name());
    if (one->runs_on_every_pe() || this_pe() == 0) {
      const int code = co_await one->program(args);
      if (code != 0) fail(std::string(one->name()) + " ended with " + std::to_string(code));
    }
    co_await barrier();
    co_await quiescence();  // what the program has sent has run
    on_past_exception(nullptr);
    co_await barrier();
    say_once("passed {}", one->name());
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view names = argc > 1 ? argv[1] : "";
  for (const test::joined_program* one : all_by_name()) {
    if (names != one->name()) continue;
    argv[1] = argv[0];
    return one->as_a_job(argc - 1, argv + 1);
  }
  if (names == "together" || names.find(',') != names.npos) return run_spmd(argc, argv, together);
  std::fprintf(stderr, "usage: programs NAME[,NAME...]|together [ARGUMENT...]; NAME is one of\n");
  for (const test::joined_program* one : all_by_name()) std::fprintf(stderr, "  %s\n", one->name());
  return 2;
}
