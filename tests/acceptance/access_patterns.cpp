// Row U13, the choice of a protocol from a profile: patterns of access, each to an array of its own that is
// declared in a line of its own. Prints how long all rounds of each have taken, "PATTERN name seconds", on the
// slowest PE.
//
//   access_patterns --pattern NAME|all --type PROTOCOL --rounds N
//
// The protocol is that of each array, so the time of a pattern can be measured under each, and what the profile of one
// run advises be compared with that.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "apps/program/command_line.hpp"
#include "apps/program/protocol_option.hpp"
#include "tests/access_patterns.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using namespace access_patterns;

struct pattern {
  const char* name;
  task<data_array> (*make)(std::size_t size, protocol how);
  round_of round;
};

// Each has a line of its own.
task<data_array> for_reading(std::size_t n, protocol how) { return create_shared_array<long>(n, by_cycle(), how); }
task<data_array> for_mostly_reading(std::size_t n, protocol how) {
  return create_shared_array<long>(n, by_cycle(), how);
}
task<data_array> for_migrating(std::size_t n, protocol how) { return create_shared_array<long>(n, by_cycle(), how); }
task<data_array> for_producing(std::size_t n, protocol how) { return create_shared_array<long>(n, by_cycle(), how); }
task<data_array> for_changing(std::size_t n, protocol how) { return create_shared_array<long>(n, by_cycle(), how); }
task<data_array> for_one_user(std::size_t n, protocol how) { return create_shared_array<long>(n, by_cycle(), how); }
task<data_array> for_reading_writers(std::size_t n, protocol how) {
  return create_shared_array<long>(n, by_cycle(), how);
}

const std::vector<pattern> patterns = {
    {"read-only", for_reading, read_only},
    {"read-mostly", for_mostly_reading, read_mostly},
    {"migratory", for_migrating, migratory},
    {"producer-consumer", for_producing, producer_consumer},
    {"write-shared", for_changing, write_shared},
    {"private", for_one_user, private_elsewhere},
    {"read-and-write", for_reading_writers, read_and_write},
};

struct options {
  std::string pattern = "all";
  protocol type = protocol::global;
  int rounds = 32;
};

// Collective.
task<void> run_pattern(const pattern& what, options asked) {
  const data_array x = co_await what.make(variables * static_cast<std::size_t>(pe_count()), asked.type);
  if (what.round == read_only) {
    for (std::size_t k = 0; k < variables; ++k) co_await x[of_home(this_pe(), k)].write(1);
  }
  co_await barrier();
  const std::int64_t start_ns = now_ns();
  for (int round = 0; round < asked.rounds; ++round) {
    co_await what.round(x, round);
    co_await barrier();
  }
  const double seconds = co_await all_reduce(static_cast<double>(now_ns() - start_ns) * 1e-9, reduce::max);
  if (this_pe() == 0) fmt::print("PATTERN {} {:.9g}\n", what.name, seconds);
}

task<int> measure(options asked) {
  for (const pattern& p : patterns) {
    if (asked.pattern == "all" || asked.pattern == p.name) co_await run_pattern(p, asked);
  }
  co_return 0;
}

// Runs on every PE.
task<int> read_and_measure(arguments words) {
  options asked;
  std::string type(name_of(asked.type));
  std::vector<std::string> names = {"all"};
  for (const pattern& p : patterns) names.emplace_back(p.name);
  program::command_line app("Patterns of access to shared data", "access_patterns");
  app.add_option("--pattern", asked.pattern, "which; default all").one_of(names);
  program::add_protocol_option(app, type, "each array");
  app.add_option("--rounds", asked.rounds, "of each; default 32").range(1, 1'000'000);
  if (const auto code = app.read(words)) co_return *code;
  asked.type = *protocol_named(type);
  co_return co_await measure(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_measure); }
