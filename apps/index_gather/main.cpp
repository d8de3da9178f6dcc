// The index-gather of bale: every PE reads random entries of a table that is spread over all PEs. A read is a message
// to the entry's owner, which sends the value back in another; entries of its own a PE just copies.
//
// Source: Maley, DeVinney, bale 3.0 (ig), 2020.
#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "apps/program/command_line.hpp"
#include "apps/program/median.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/random_stream.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  std::int64_t reads = 10'000'000;
  std::int64_t entries = 100'000;
  std::uint64_t seed = 1;
  int repetitions = 0;  // timed runs after one that is not; 0: a single run, timed as it comes
  bool json = false;
};

struct gathering {
  std::vector<std::uint64_t> table;  // this PE's entries
  std::vector<std::uint64_t> got;    // what this PE's reads have brought, by place
};
pe_local<gathering> mine;

// What the table holds. Never 0, so that a place that was not filled is seen.
std::uint64_t value_at(pe_id pe, std::uint32_t index) {
  return program::mixed((static_cast<std::uint64_t>(pe) << 32) + index);
}

using tables = std::vector<global_ptr<std::uint64_t>>;  // by PE

struct entry {
  std::uint32_t pe;
  std::uint32_t index;
};

// The entries that this PE reads, in this order.
std::vector<entry> entries_to_read(const options& asked) {
  random_source random = program::random_stream(asked.seed, this_pe());
  const auto pes = static_cast<std::uint64_t>(pe_count());
  const auto entries = static_cast<std::uint64_t>(asked.entries);
  std::vector<entry> wanted(static_cast<std::size_t>(asked.reads));
  for (entry& w : wanted) {
    // The halves of a random number give PE and index, by multiplication.
    const std::uint64_t r = random();
    w = {static_cast<std::uint32_t>(((r >> 32) * pes) >> 32),
         static_cast<std::uint32_t>(((r & 0xffffffff) * entries) >> 32)};
  }
  return wanted;
}

// Compares every value that was read with what the table holds there. Local. Returns how many are wrong.
std::int64_t wrong_values(std::span<const entry> wanted) {
  std::int64_t wrong = 0;
  const std::uint64_t* value = mine->got.data();
  for (const entry w : wanted) wrong += *value++ != value_at(static_cast<pe_id>(w.pe), w.index) ? 1 : 0;
  return wrong;
}

// Reads all that this PE wants. Collective. Returns the seconds of the slowest PE.
task<double> read_all(const std::vector<entry>& wanted, const tables& from, program::progress& shown) {
  constexpr std::size_t block = 1 << 20;  // reads between two lines of progress
  co_await barrier();
  program::stopwatch watch;
  for (std::size_t done = 0; done < wanted.size(); done += block) {
    const std::size_t count = std::min(block, wanted.size() - done);
    const auto pointers =
        std::span(wanted).subspan(done, count) | std::views::transform([&](entry w) { return from[w.pe][w.index]; });
    co_await read_each(pointers, std::span(mine->got).subspan(done, count));
    shown.at("read", static_cast<std::int64_t>(done), static_cast<std::int64_t>(wanted.size()));
  }
  co_return co_await all_reduce(watch.seconds(), reduce::max);
}

// Collective. Returns the exit code.
task<int> gather_values(options asked) {
  program::progress shown("index_gather");
  mine->table.resize(static_cast<std::size_t>(asked.entries));
  for (std::size_t i = 0; i < mine->table.size(); ++i)
    mine->table[i] = value_at(this_pe(), static_cast<std::uint32_t>(i));
  mine->got.resize(static_cast<std::size_t>(asked.reads));
  const std::vector<entry> wanted = entries_to_read(asked);
  const global_ptr<std::uint64_t> shared = share(std::span(mine->table));
  const tables from = co_await all_gather(shared);

  std::vector<double> timed;
  std::int64_t wrong = 0;
  for (int i = 0; i <= asked.repetitions; ++i) {
    std::fill(mine->got.begin(), mine->got.end(), 0);
    const double seconds_of_run = co_await read_all(wanted, from, shown);
    if (i > 0 || asked.repetitions == 0) timed.push_back(seconds_of_run);
    shown.begin("verifying");
    wrong += co_await all_reduce(wrong_values(wanted), reduce::plus);
  }
  const double seconds = program::median(std::move(timed));
  const double rate = static_cast<double>(asked.reads) / seconds;
  program::result result;
  result.program = "index_gather";
  result.input_key = "seed";
  result.input = std::to_string(asked.seed);
  result.verified = wrong == 0;
  result.seconds = seconds;
  result.about =
      fmt::format("index_gather: {} reads of {} entries by each PE, seed {}", asked.reads, asked.entries, asked.seed);
  result.details.emplace_back("values",
                              fmt::format("{} wrong of {}", wrong, asked.reads * pe_count() * (asked.repetitions + 1)));
  result.details.emplace_back("rate", fmt::format("{:.1f} million reads/s by each PE", rate * 1e-6));
  result.fields = {{"reads", std::to_string(asked.reads)},
                   {"entries", std::to_string(asked.entries)},
                   {"wrong", std::to_string(wrong)},
                   {"reads_per_second_and_pe", fmt::format("{:.6g}", rate)}};
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Index-gather: every PE reads random entries of all PEs", "index_gather");
  app.add_option("--reads", asked.reads, "of each PE; default 10000000")
      .range(std::int64_t{0}, std::int64_t{1} << 32)
      .type_name("N");
  app.add_option("--entries", asked.entries, "of each PE, 8 bytes each; default 100000")
      .range(std::int64_t{1}, std::int64_t{1} << 32)
      .type_name("N");
  app.add_option("--seed", asked.seed, "of the random reads; default 1").type_name("N");
  app.add_option("--repetitions", asked.repetitions,
                 "timed runs after an untimed one; their median is shown; default: a single run, timed as it comes")
      .range(1, 1000)
      .type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await gather_values(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_run); }
