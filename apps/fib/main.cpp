// Fibonacci numbers by a tree of concurrent objects: how much a created, asked and ended object costs.
#include <fmt/core.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/fib/call.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/median.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

// The calls on this PE since the last time.
std::int64_t take_calls() { return std::exchange(*fib::calls_here, 0); }

struct options {
  int n = 0;
  fib::placement where = fib::placement::here;
  int repetitions = 0;  // timed runs after one that is not; 0: a single run, timed as it comes
  bool json = false;
};

struct measured {
  std::int64_t value = 0;
  std::int64_t calls = 0;
  double seconds = 0;
};

task<measured> measure(int n, fib::placement where) {
  measured m;
  program::stopwatch watch;
  m.value = co_await fib::compute(n, where);
  m.seconds = watch.seconds();
  m.calls = co_await everywhere().now<take_calls>(reduce::plus);
  co_return m;
}

std::string_view name_of(fib::placement where) {
  switch (where) {
    case fib::placement::here:
      return "here";
    case fib::placement::paper:
      return "paper";
    case fib::placement::anywhere:
      break;
  }
  return "anywhere";
}

task<int> compute(options asked) {
  program::result result;
  bool right = true;
  measured last;
  std::vector<double> timed;
  for (int i = 0; i <= asked.repetitions; ++i) {
    last = co_await measure(asked.n, asked.where);
    right = right && last.value == fib::expected(asked.n) && last.calls == fib::expected_calls(asked.n);
    if (i > 0 || asked.repetitions == 0) timed.push_back(last.seconds);
  }
  const double seconds = program::median(std::move(timed));
  const auto calls = static_cast<double>(last.calls);
  const double ticks_per_task = seconds * 1e9 * ticks_per_ns() * pe_count() / calls;
  result.program = "fib";
  result.input_key = "n";
  result.input = std::to_string(asked.n);
  result.verified = right;
  result.seconds = seconds;
  result.counts = {{"value", last.value}, {"tasks", last.calls}};
  result.figures = {{"ticks_per_task", ticks_per_task}, {"tasks_per_second", calls / seconds}};
  result.fields = {{"placement", fmt::format("\"{}\"", name_of(asked.where))}};
  result.details = {{"placement", std::string(name_of(asked.where))}};
  result.about = fmt::format("fib({}) by an object for each call; the ticks are those of all PEs", asked.n);
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

const std::map<std::string, fib::placement> places{
    {"here", fib::placement::here}, {"paper", fib::placement::paper}, {"anywhere", fib::placement::anywhere}};

task<int> read_and_run(arguments words) {
  options asked;
  if (simulated != nullptr) asked.where = fib::placement::paper;
  program::command_line app("fib(n), 1 for n = 1 and 2, by a concurrent object for each call", "fib");
  app.add_option("n", asked.n).required().range(1, 45).type_name("N");
  std::vector<std::string> names;
  for (const auto& [name, place] : places) names.push_back(name);
  app.add_option_function(
         "--placement", [&asked](const std::string& name) { asked.where = places.at(name); },
         "of a call's two objects: here, on its own PE (default); paper, on two neighbours (default in "
         "simulated jobs); "
         "anywhere, where the runtime chooses")
      .one_of(names)
      .type_name("WHERE");
  app.add_option(
         "--repetitions", asked.repetitions,
         "timed runs after an untimed one, which gets the memory; their median is shown; default: a single run, "
         "timed as it comes")
      .range(1, 1000)
      .type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await compute(asked);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, read_and_run); }
