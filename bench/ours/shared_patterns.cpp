// What adaptive variables cost, beside the protocol that suits them best and beside global: six patterns of access
// (tests/access_patterns.hpp), and `phases`, where one array is used by one pattern after the other.
//
// An array under each protocol is used in turns, so that all see the same machine. Adaptive ones are measured once they
// have had time to choose; in `phases` they choose anew in each.
#include <array>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "tests/access_patterns.hpp"

namespace {

using namespace tsubu;
using namespace access_patterns;

constexpr std::array how = {protocol::global, protocol::mobile, protocol::update, protocol::invalidate,
                            protocol::adaptive};

struct pattern {
  const char* name;
  std::vector<round_of> parts;  // one after the other
};
const std::vector<pattern>& patterns() {
  static const std::vector<pattern> all = {
      {"read_only", {read_only}},
      {"read_mostly", {read_mostly}},
      {"migratory", {migratory}},
      {"producer_consumer", {producer_consumer}},
      {"write_shared", {write_shared}},
      {"private", {private_elsewhere}},
      {"phases", {read_mostly, migratory, producer_consumer, write_shared}},
  };
  return all;
}

// Nanoseconds for a round of the slowest PE.
task<double> round_ns(data_array x, const pattern* what, int rounds) {
  co_await barrier();
  const bench::stopwatch watch;
  for (const round_of part : what->parts) {
    for (int round = 0; round < rounds; ++round) {
      co_await part(x, round);
      co_await barrier();
    }
  }
  const double here = watch.seconds() * 1e9 / static_cast<double>(rounds) / static_cast<double>(what->parts.size());
  co_return co_await all_reduce(here, reduce::max);
}

task<int> program(arguments args) {
  std::int64_t rounds = 200, repetitions = 15, only = 0;
  if (const auto code = bench::read_options(
          args, "adaptive shared data under six patterns of access, and while the pattern changes",
          {{"--only", &only, "one of the patterns, by its number; 0: all"},
           {"--rounds", &rounds, "of a pattern in a measurement"},
           {"--repetitions", &repetitions, "measurements, after one untimed; their median is reported"}}))
    co_return *code;
  require(rounds > 0 && repetitions > 0, "--rounds and --repetitions are 1 at least");
  const std::size_t size = variables * static_cast<std::size_t>(pe_count());
  bench::result_line line("shared_patterns");
  line.add("transport", transport_name()).add("pes", pe_count()).add("rounds", rounds);
  const auto count_of_patterns = static_cast<std::int64_t>(patterns().size());
  require(only >= 0 && only <= count_of_patterns, "--only {}: there are {} patterns", only, count_of_patterns);
  for (std::int64_t n = 1; n <= count_of_patterns; ++n) {
    if (only != 0 && n != only) continue;
    const pattern& p = patterns()[static_cast<std::size_t>(n - 1)];
    std::array<data_array, how.size()> arrays;
    std::array<std::vector<double>, how.size()> times;
    for (std::size_t i = 0; i < how.size(); ++i) {
      arrays[i] = co_await create_shared_array<long>(size, by_cycle(), how[i]);
    }
    for (std::int64_t r = 0; r <= repetitions; ++r) {
      for (std::size_t i = 0; i < how.size(); ++i) {
        const double ns = co_await round_ns(arrays[i], &p, static_cast<int>(rounds));
        if (r > 0) times[i].push_back(ns);
      }
    }
    double best = bench::summarize(times[0]).median;
    for (std::size_t i = 1; i + 1 < how.size(); ++i) best = std::min(best, bench::summarize(times[i]).median);
    for (std::size_t i = 0; i < how.size(); ++i) {
      line.add(std::string(p.name) + "_" + std::string(name_of(how[i])) + "_ns", bench::summarize(times[i]).median);
    }
    line.add(std::string(p.name) + "_best_ns", best);
    for (const data_array& x : arrays) co_await x.end();
  }
  if (this_pe() == 0) line.print();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
