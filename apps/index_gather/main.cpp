// The index-gather of bale: every PE reads random entries of a table that is spread over all PEs. A read is a message
// to the entry's owner, which sends the value back in another.
//
// Source: Maley, DeVinney, bale 3.0 (ig), 2020.
#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/random_stream.hpp"
#include "apps/program/result.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  std::int64_t reads = 10'000'000;
  std::int64_t entries = 100'000;
  std::uint64_t seed = 1;
  bool json = false;
};

struct gathering {
  std::vector<std::uint64_t> table;  // this PE's entries
  std::vector<std::uint64_t> got;    // what this PE's reads have brought, by place
  std::int64_t replies = 0;
};
pe_local<gathering> mine;

// What the table holds. Never 0, so that a place that was not filled is seen.
std::uint64_t value_at(pe_id pe, std::uint32_t index) {
  return program::mixed((static_cast<std::uint64_t>(pe) << 32) + index);
}

void take_value(std::uint32_t place, std::uint64_t value) {
  mine->got[place] = value;
  ++mine->replies;
}
void read_entry(std::uint32_t index, std::uint32_t place, pe_id reader) {
  at(reader).past<take_value>(place, mine->table[index]);
}

// The entries that one PE reads, one by one.
class read_source {
 public:
  explicit read_source(const options& asked)
      : random_(program::random_stream(asked.seed, this_pe())),
        pes_(static_cast<std::uint64_t>(pe_count())),
        entries_(static_cast<std::uint64_t>(asked.entries)) {}

  struct entry {
    pe_id pe;
    std::uint32_t index;
  };
  entry next() {
    // The halves of a random number give PE and index, by multiplication.
    const std::uint64_t r = random_();
    return {static_cast<pe_id>(((r >> 32) * pes_) >> 32),
            static_cast<std::uint32_t>(((r & 0xffffffff) * entries_) >> 32)};
  }

 private:
  random_source random_;
  std::uint64_t pes_;
  std::uint64_t entries_;
};

void send_reads(read_source& source, std::int64_t first, std::int64_t count) {
  for (std::int64_t place = first; place < first + count; ++place) {
    const read_source::entry entry = source.next();
    at(entry.pe).past<read_entry>(entry.index, static_cast<std::uint32_t>(place), this_pe());
  }
}

// Compares every value that was read with what the table holds there. Local. Returns how many are wrong.
std::int64_t wrong_values(const options& asked) {
  std::int64_t wrong = 0;
  read_source source(asked);
  for (const std::uint64_t value : mine->got) {
    const read_source::entry entry = source.next();
    if (value != value_at(entry.pe, entry.index)) ++wrong;
  }
  return wrong;
}

// Collective. Returns the exit code.
task<int> gather_values(options asked) {
  constexpr std::int64_t block = 1024;  // sends between two looks at the network
  program::progress shown("index_gather");
  mine->table.resize(static_cast<std::size_t>(asked.entries));
  for (std::size_t i = 0; i < mine->table.size(); ++i)
    mine->table[i] = value_at(this_pe(), static_cast<std::uint32_t>(i));
  mine->got.resize(static_cast<std::size_t>(asked.reads));
  read_source source(asked);
  co_await barrier();

  const std::int64_t start_ns = now_ns();
  for (std::int64_t done = 0; done < asked.reads; done += block) {
    send_reads(source, done, std::min(block, asked.reads - done));
    co_await room_everywhere();
    shown.at("read", done, asked.reads);
  }
  co_await quiescence();
  const double seconds = co_await all_reduce(static_cast<double>(now_ns() - start_ns) * 1e-9, reduce::max);

  shown.begin("verifying");
  const std::int64_t wrong = co_await all_reduce(wrong_values(asked), reduce::plus);
  const bool answered_once = co_await all_reduce(mine->replies == asked.reads, reduce::all);
  const double rate = static_cast<double>(asked.reads) / seconds;
  program::result result;
  result.program = "index_gather";
  result.input_key = "seed";
  result.input = std::to_string(asked.seed);
  result.verified = wrong == 0 && answered_once;
  result.seconds = seconds;
  result.about =
      fmt::format("index_gather: {} reads of {} entries by each PE, seed {}", asked.reads, asked.entries, asked.seed);
  result.details.emplace_back("values", fmt::format("{} wrong of {}", wrong, asked.reads * pe_count()));
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
  CLI::App app("Index-gather: every PE reads random entries of all PEs", "index_gather");
  app.add_option("--reads", asked.reads, "of each PE; default 10000000")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 32))
      ->type_name("N");
  app.add_option("--entries", asked.entries, "of each PE, 8 bytes each; default 100000")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 32))
      ->type_name("N");
  app.add_option("--seed", asked.seed, "of the random reads; default 1")->type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = program::read_options(app, words)) co_return *code;
  co_return co_await gather_values(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_run); }
