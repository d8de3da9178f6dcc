#include "tsubu/eulash/start.hpp"

#include <cstring>
#include <vector>

#include "tsubu/eulash/globals.hpp"
#include "tsubu/eulash/heap.hpp"
#include "tsubu/eulash/threads.hpp"
#include "tsubu/run/run.hpp"

namespace tsubu::placed {
namespace {

int (*main_of_program)(int, char**) = nullptr;

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
  co_return co_await run_main(main_of_program, static_cast<int>(words.size()), argv);
}

}  // namespace

int start(int argc, char** argv, int (*main)(int, char**)) {
  main_of_program = main;
  lay_out_globals(EULASH_BASE);
  lay_out_own_variables();
  return run(argc, argv, program);
}

}  // namespace tsubu::placed
