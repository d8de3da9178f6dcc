// Promise: small programs do what they promise under every seed, and their checks find it when the runtime does not.
// Method: each runs under --seeds N seeds from --first N; the first with which it fails is printed. CMakeLists.txt
// links this with sources of the runtime that have one thing wrong.
//
//   schedules quiescence|looks|order|credits|data|nothing [--seeds N] [--first N] [--failures N] [--pes N]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string>

#include "tests/mutants/programs.hpp"
#include "tsubu/sim/explore.hpp"
#include "tsubu/tsubu.hpp"

using namespace tsubu;

namespace {

void expect(bool holds, const std::string& what, std::source_location where = std::source_location::current()) {
  if (!holds) fail("expected: " + what, where);
}

pe_id some_pe(std::uint64_t number) {
  random_source random(number);
  return static_cast<pe_id>(random.below(static_cast<std::uint64_t>(pe_count())));
}

// ---- quiescence: when it is told, all that was caused has run, and it is told

pe_local<long> ran;

// Every other round, some wait before they go on.
task<void> avalanche(std::uint64_t number, int strength, bool waits) {
  if (waits && number % 3 == 0) co_await sleep_for(std::chrono::microseconds(number % 50));
  ++*ran;
  if (strength == 0) co_return;
  for (std::uint64_t side = 1; side <= 2; ++side)
    at(some_pe(2 * number + side)).past<avalanche>(2 * number + side, strength - 1, waits);
}

// If all wait, they look together from the second round on; if the last PE does not, PE 0 sends waves.
task<int> quiescence_is_exact(bool all_wait) {
  constexpr int rounds = 12, strength = 2;
  for (int round = 1; round <= rounds; ++round) {
    at(some_pe(static_cast<std::uint64_t>(round)))
        .past<avalanche>(static_cast<std::uint64_t>(this_pe()), strength, round % 2 == 0);
    if (all_wait || pe_count() == 1 || this_pe() + 1 != pe_count()) co_await quiescence();
    if (!all_wait) co_await barrier();
    const long all = co_await all_reduce(*ran, reduce::plus);
    const long wanted = round * ((2L << strength) - 1) * pe_count();
    expect(all == wanted, std::to_string(wanted) + " messages by quiescence, not " + std::to_string(all));
  }
  co_return 0;
}
task<int> waves_are_exact() { return quiescence_is_exact(false); }
task<int> looks_are_exact() { return quiescence_is_exact(true); }

// ---- order: from one PE to another

pe_local<std::vector<long>> next_from([] { return std::vector<long>(static_cast<std::size_t>(pe_count())); });

void numbered(pe_id from, long number, std::array<long, 4>) {
  long& next = (*next_from)[static_cast<std::size_t>(from)];
  expect(number == next,
         "message " + std::to_string(next) + " of PE " + std::to_string(from) + ", not " + std::to_string(number));
  ++next;
}

task<int> order_is_kept() {
  constexpr long many = 200;
  const std::array<long, 4> more{};
  for (long i = 0; i < many; ++i) {
    for (pe_id to = 0; to < pe_count(); to += 2) at(to).past<numbered>(this_pe(), i, more);
    if (i % 50 == 0) co_await yield();
  }
  co_await quiescence();
  const long wanted = this_pe() % 2 == 0 ? many : 0;
  for (const long next : *next_from) {
    expect(next == wanted, std::to_string(wanted) + " messages, not " + std::to_string(next));
  }
  co_return 0;
}

// ---- credits: what is on the way to a PE is what was sent to it and not yet released, and bounded

pe_local<long> taken;

void take(long n) { *taken += n; }

task<int> credits_are_kept() {
  constexpr long many = 500;
  const pe_id to = 0;
  const transport::transport& wires = remote::current_pe->transport();
  for (long i = 0; i < many; ++i) {
    co_await at(to).past<take>(1);
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      const int on_the_way = pe == this_pe() ? 0 : wires.on_the_way(pe);
      expect(
          on_the_way >= 0 && on_the_way <= message::credit_window::most_batches + 2,
          "a bounded number of batches on the way to PE " + std::to_string(pe) + ", not " + std::to_string(on_the_way));
    }
  }
  co_await quiescence();
  if (this_pe() == to) {
    expect(*taken == many * pe_count(), std::to_string(many * pe_count()) + " messages, not " + std::to_string(*taken));
  }
  co_return 0;
}

// What a schedule costs at least.
task<int> nothing() { co_return 0; }

struct {
  const char* name;
  task<int> (*program)();
} constexpr programs[] = {
    {"quiescence", waves_are_exact}, {"looks", looks_are_exact},           {"order", order_is_kept},
    {"credits", credits_are_kept},   {"data", variables_are_linearizable}, {"nothing", nothing}};

}  // namespace

int main(int argc, char** argv) {
  sim::exploration what{.count = 100};
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::uint64_t value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--seeds") what.count = value;
    if (name == "--first") what.first = value;
    if (name == "--failures") what.most_failures = static_cast<int>(value);
    if (name == "--pes") what.pes = {static_cast<int>(value)};
  }
  for (const auto& one : programs) {
    if (argc < 2 || one.name != std::string(argv[1])) continue;
    const sim::findings found = sim::explore(sim::read_machine("cluster"), what, one.program);
    for (const sim::failure& f : found.failures) {
      std::printf("%s fails with seed %llu, %d PEs, exit code %d, signal %d:\n%s", one.name,
                  static_cast<unsigned long long>(f.seed), f.pes, f.code, f.signal, f.said.c_str());
    }
    std::printf("%s: %llu schedules, %zu failures, %.0f schedules and %.3g events a second\n", one.name,
                static_cast<unsigned long long>(found.runs), found.failures.size(),
                static_cast<double>(found.runs) / found.seconds, static_cast<double>(found.events) / found.seconds);
    return found.failures.empty() ? 0 : 1;
  }
  std::fprintf(stderr,
               "usage: schedules quiescence|looks|order|credits|data|nothing [--seeds N] [--first N] [--failures N] "
               "[--pes N]\n");
  return 2;
}
