// HPCC RandomAccess: random updates of a table of 2^k words that is spread over all PEs, four for each word, by one
// message each.
//
// As HPCC has it: the table, the number of updates, the random numbers, and the verification: the same updates once
// more give back the table as it was. Other than in HPCC, a PE makes its updates without bound on how many are on the
// way (HPCC allows 1,024 a process), and none is lost: HPCC accepts 1 % of wrong words, here one is a failure. So the
// rate is comparable with others of this suite, but no result to submit.
//
// Source: HPC Challenge 1.5, RandomAccess; Koester, Lucas, RandomAccess rules, 2006.
#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "apps/gups/random_updates.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

constexpr std::uint64_t updates_per_word = 4;
constexpr double accepted_errors = 0.01;  // by HPCC's rules

struct options {
  int log_size = 24;
  bool json = false;
};

// The words [first, first + words.size()) of the 2^log_size, and who has the others.
struct table {
  explicit table(int k) : log_size(k), first(first_of(this_pe())) {
    words.resize(first_of(this_pe() + 1) - first);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = first + i;
  }

  std::uint64_t size() const { return std::uint64_t{1} << log_size; }
  std::uint64_t place(std::uint64_t update) const { return update & (size() - 1); }
  // Blocks of nearly one size: word i belongs to PE floor(i P / 2^k).
  pe_id owner(std::uint64_t i) const {
    return static_cast<pe_id>((i * static_cast<std::uint64_t>(pe_count())) >> log_size);
  }
  std::uint64_t first_of(pe_id pe) const {
    const auto pes = static_cast<std::uint64_t>(pe_count());
    return ((static_cast<std::uint64_t>(pe) << log_size) + pes - 1) / pes;
  }

  int log_size;
  std::uint64_t first;
  std::vector<std::uint64_t, large_pages<std::uint64_t>> words;
};
pe_local<std::vector<table>> tables;  // one, made when its size is known
table& mine() { return tables->front(); }

void apply(std::uint64_t update) {
  table& t = mine();
  t.words[t.place(update) - t.first] ^= update;
}

// Sends `count` updates, from `update` on. Returns the next.
std::uint64_t send_updates(std::uint64_t update, std::uint64_t count) {
  const table& t = mine();
  for (std::uint64_t i = 0; i < count; ++i) {
    at(t.owner(t.place(update))).past<apply>(update);
    update = gups::next(update);
  }
  return update;
}

// Each PE makes a stretch of the stream, four updates for each of its words. Collective.
task<void> update_all(program::progress& shown, std::string_view what) {
  constexpr std::uint64_t block = 1024;  // sends between two looks at the network
  const std::uint64_t count = updates_per_word * mine().words.size();
  std::uint64_t update = gups::starts(static_cast<std::int64_t>(updates_per_word * mine().first));
  for (std::uint64_t done = 0; done < count; done += block) {
    update = send_updates(update, std::min(block, count - done));
    co_await room_everywhere();
    shown.at(what, static_cast<std::int64_t>(done), static_cast<std::int64_t>(count));
  }
  co_await quiescence();
}

// The exclusive or of all changes to the table is that of all updates, if none was lost or doubled: the same updates
// once more would not tell, if they were lost twice. Made again without messages. Collective; the same on every PE.
task<bool> all_arrived() {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < mine().words.size(); ++i) difference ^= mine().words[i] ^ (mine().first + i);
  std::uint64_t update = gups::starts(static_cast<std::int64_t>(updates_per_word * mine().first));
  for (std::uint64_t i = 0; i < updates_per_word * mine().words.size(); ++i, update = gups::next(update))
    difference ^= update;
  const std::vector<std::uint64_t> differences = co_await all_gather(difference);
  std::uint64_t all = 0;
  for (const std::uint64_t one : differences) all ^= one;
  co_return all == 0;
}

std::int64_t wrong_words() {
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < mine().words.size(); ++i) wrong += mine().words[i] != mine().first + i;
  return wrong;
}

// Collective. Returns the exit code.
task<int> random_access(options asked) {
  program::progress shown("gups");
  tables->emplace_back(asked.log_size);
  co_await barrier();

  program::stopwatch watch;
  co_await update_all(shown, "update");
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  const bool arrived = co_await all_arrived();
  co_await update_all(shown, "verifying, update");
  const std::int64_t wrong = co_await all_reduce(wrong_words(), reduce::plus);

  const auto size = static_cast<double>(mine().size());
  const double errors = static_cast<double>(wrong) / size;
  const double giga_updates = static_cast<double>(updates_per_word) * size / seconds * 1e-9;
  program::result result;
  result.program = "gups";
  result.input_key = "log_size";
  result.input = std::to_string(asked.log_size);
  result.verified = wrong == 0 && arrived;
  result.seconds = seconds;
  result.about = fmt::format("gups: {} updates of 2^{} words", updates_per_word * mine().size(), asked.log_size);
  result.details.emplace_back("errors", fmt::format("{} of {} words, a fraction of {:.4g} (HPCC accepts {})", wrong,
                                                    mine().size(), errors, accepted_errors));
  result.details.emplace_back("GUP/s", fmt::format("{:.6f}", giga_updates));
  result.details.emplace_back(
      "rate", fmt::format("{:.1f} million updates/s by each PE", giga_updates * 1e3 / static_cast<double>(pe_count())));
  result.fields = {{"words", std::to_string(mine().size())},
                   {"updates", std::to_string(updates_per_word * mine().size())},
                   {"error_fraction", fmt::format("{:.6g}", errors)},
                   {"gups", fmt::format("{:.6g}", giga_updates)}};
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Giga-updates per second: HPCC RandomAccess", "gups");
  app.add_option("--log-size", asked.log_size, "k: the table has 2^k words of 8 bytes; default 24")
      .range(1, 40)
      .type_name("K");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await random_access(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_run); }
