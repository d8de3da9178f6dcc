// Programs in which PEs meet in every round, and wait there for the one that comes last: for the test of the gain that
// a profile predicts (tests/command/check_gain). Who waits for shared data is not always who is waited for.
//
//   waits_at_barriers --pattern NAME --type PROTOCOL --rounds N
//
// Each pattern writes in one half of a round and reads in the other. Prints how long all rounds have taken, "PATTERN
// name seconds", on the slowest PE.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "apps/program/command_line.hpp"
#include "apps/program/protocol_option.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using numbers = shared_array<long, by_block>;

constexpr std::size_t of_each = 16;      // elements
constexpr double clocks_of_all = 10000;  // that each PE computes in a round; 4 us on the machine `cluster`

std::size_t element(int of_pe, std::size_t k) {
  return static_cast<std::size_t>((of_pe + pe_count()) % pe_count()) * of_each + k;
}

task<long> read_of(numbers x, int of_pe) {
  long sum = 0;
  for (std::size_t k = 0; k < of_each; ++k) sum += co_await x[element(of_pe, k)].read();
  co_return sum;
}

task<long> read_all(numbers x) {
  long sum = 0;
  for (int pe = 0; pe < pe_count(); ++pe) sum += co_await read_of(x, pe);
  co_return sum;
}

task<void> write_mine(numbers x, int round) {
  for (std::size_t k = 0; k < of_each; ++k) co_await x[element(this_pe(), k)].write(round);
}

// All alike: each reads both neighbours.
task<void> neighbours(numbers x, int round) {
  co_await write_mine(x, round);
  co_await barrier();
  co_await read_of(x, this_pe() - 1);
  co_await read_of(x, this_pe() + 1);
}

// The same, and one PE has more to compute than others wait: their waits are hidden behind it.
task<void> slow_pe(numbers x, int round) {
  co_await write_mine(x, round);
  co_await barrier();
  if (this_pe() == 0) {
    work(60 * clocks_of_all);
  } else if (this_pe() + 1 < pe_count()) {
    co_await read_of(x, this_pe() + 1);
  }
}

// One PE writes, all others read.
task<void> one_writer(numbers x, int round) {
  if (this_pe() == 0) co_await write_mine(x, round);
  co_await barrier();
  co_await read_of(x, 0);
}

// Each writes, and one PE reads what all have: they wait for it.
task<void> one_reader(numbers x, int round) {
  if (round == 0) co_await write_mine(x, round);
  co_await barrier();
  if (this_pe() == 0) co_await read_all(x);
}

// So it is, but that it is another PE in each round.
task<void> in_turn(numbers x, int round) {
  if (round == 0) co_await write_mine(x, round);
  co_await barrier();
  if (round % pe_count() == this_pe()) co_await read_all(x);
}

struct pattern {
  const char* name;
  task<void> (*round)(numbers x, int round);
};
constexpr pattern patterns[] = {{"neighbours", neighbours},
                                {"slow-pe", slow_pe},
                                {"one-writer", one_writer},
                                {"one-reader", one_reader},
                                {"in-turn", in_turn}};

task<int> measure(const pattern& what, protocol type, int rounds) {
  const numbers x =
      co_await create_shared_array<long>(of_each * static_cast<std::size_t>(pe_count()), by_block(), type);
  const std::int64_t start_ns = now_ns();
  for (int round = 0; round < rounds; ++round) {
    work(clocks_of_all);
    co_await what.round(x, round);
    co_await barrier();
  }
  const double seconds = co_await all_reduce(static_cast<double>(now_ns() - start_ns) * 1e-9, reduce::max);
  if (this_pe() == 0) fmt::print("PATTERN {} {:.9g}\n", what.name, seconds);
  co_return 0;
}

// Runs on every PE.
task<int> read_and_measure(arguments words) {
  std::string name = patterns[0].name, type(name_of(protocol::global));
  int rounds = 32;
  std::vector<std::string> names;
  for (const pattern& p : patterns) names.emplace_back(p.name);
  program::command_line app("Shared data between barriers", "waits_at_barriers");
  app.add_option("--pattern", name, "which; default neighbours").one_of(names);
  program::add_protocol_option(app, type, "the array");
  app.add_option("--rounds", rounds, "how many; default 32").range(1, 1'000'000);
  if (const auto code = app.read(words)) co_return *code;
  for (const pattern& p : patterns) {
    if (name == p.name) co_return co_await measure(p, *protocol_named(type), rounds);
  }
  co_return 2;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_measure); }
