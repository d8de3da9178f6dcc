// The dining philosophers: objects that wait for each other, and what the runtime says when all wait for all.
#include <fmt/core.h>
#include <algorithm>
#include <vector>

#include "apps/philosophers/table.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/result.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using philosophers::fork;
using philosophers::philosopher;

struct options {
  int philosophers = 5;
  std::int64_t meals = 1000;
  bool deadlock = false;
  bool json = false;
};

pe_destination place(int i) { return at(static_cast<pe_id>(i % pe_count())); }

// Fork i lies between philosophers i - 1 and i. Everyone picks up the fork of the lower number first, so that no circle
// can wait; with a deadlock wanted, everyone the left one.
std::vector<ref<philosopher>> lay_table(options asked) {
  const int n = asked.philosophers;
  std::vector<ref<fork>> forks;
  for (int i = 0; i < n; ++i) forks.push_back(create<fork>(place(i)));
  std::vector<ref<philosopher>> all;
  for (int i = 0; i < n; ++i) {
    const int left = i, right = (i + 1) % n;
    const int first = asked.deadlock ? left : std::min(left, right);
    all.push_back(create<philosopher>(place(i), forks[static_cast<std::size_t>(first)],
                                      forks[static_cast<std::size_t>(left + right - first)]));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].past<&philosopher::sits_beside>(all[(i + all.size() - 1) % all.size()]);
  }
  return all;
}

task<int> dine(options asked) {
  const std::vector<ref<philosopher>> all = lay_table(asked);
  const std::int64_t start_ns = now_ns();
  if (asked.deadlock) co_await now_all<&philosopher::begin>(all);
  co_await now_all<&philosopher::dine>(all, asked.meals);
  const double seconds = static_cast<double>(now_ns() - start_ns) * 1e-9;

  const std::vector<std::int64_t> eaten = co_await now_all<&philosopher::eaten>(all);
  std::int64_t clashes = 0;
  for (const std::int64_t of_one : co_await now_all<&philosopher::clashes>(all)) clashes += of_one;
  const auto meals = asked.meals * asked.philosophers;

  program::result result;
  result.program = "philosophers";
  result.input_key = "philosophers";
  result.input = std::to_string(asked.philosophers);
  result.verified = clashes == 0 && std::ranges::count(eaten, asked.meals) == asked.philosophers;
  result.seconds = seconds;
  result.counts = {{"meals", meals}, {"clashes", clashes}};
  result.figures = {{"meals_per_second", static_cast<double>(meals) / seconds}};
  result.about = fmt::format("{} philosophers at a table, {} meals each", asked.philosophers, asked.meals);
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Dining philosophers: forks and philosophers are concurrent objects", "philosophers");
  app.add_option("--philosophers", asked.philosophers, "at the table, a fork each; default 5")
      .range(2, 10'000'000)
      .type_name("N");
  app.add_option("--meals", asked.meals, "of each; default 1000")
      .range(std::int64_t{0}, std::int64_t{1} << 40)
      .type_name("N");
  app.add_flag("--deadlock", asked.deadlock, "everyone holds the left fork, then waits for the right one");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await dine(asked);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, read_and_run); }
