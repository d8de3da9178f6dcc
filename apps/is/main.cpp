// NPB IS on Tsubu: ranks of many small integer keys.
#include <fmt/core.h>
#include <stdexcept>

#include "apps/is/ranker.hpp"
#include "apps/npb/is.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

std::string check_class(const std::string& name) {
  try {
    npb::is_class_named(name);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

// Runs the class, prints the result on PE 0, and returns the exit code. Collective.
task<int> run_benchmark(std::string class_name, std::string exchange, bool json) {
  const npb::is_class& problem = npb::is_class_named(class_name);
  program::progress shown("is");
  shown.begin("making the keys");
  is::ranker ranker(problem);
  if (exchange == "block") {
    ranker.move_by(co_await is::make_block_redistribution(problem, ranker.keys()));
  } else {
    ranker.move_by(is::make_key_redistribution(problem));
  }

  shown.begin("warming up");
  co_await ranker.rank(1);

  co_await barrier();
  program::stopwatch watch;
  int passed_here = 0;
  for (int iteration = 1; iteration <= npb::is_iterations; ++iteration) {
    passed_here += co_await ranker.rank(iteration);
    shown.step("iteration", iteration, npb::is_iterations);
  }
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const int passed = co_await all_reduce(passed_here, reduce::plus);
  const bool sorted = co_await ranker.all_sorted();

  constexpr int ranks = npb::is_test_keys * npb::is_iterations;
  program::result result;
  result.program = "is";
  result.input_key = "class";
  result.input = problem.name;
  result.exchange = exchange;
  result.verified = passed == ranks && sorted;
  result.seconds = seconds;
  result.mops = npb::is_mops(problem, seconds);
  result.about = fmt::format("NPB IS class {}: {} keys below {}, {} iterations", problem.name, problem.keys(),
                             problem.max_key(), npb::is_iterations);
  result.details.emplace_back("ranks", fmt::format("{} of {} right", passed, ranks));
  result.details.emplace_back("order", sorted ? "all keys sorted" : "keys out of order");
  program::print(result, json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> sort(arguments words) {
  std::string class_name = "S";
  std::string exchange = "block";
  bool json = false;
  program::command_line app("Integer sort: the benchmark NPB IS", "is");
  app.add_option("--class", class_name, "the problem: S, W, A, B, C or D; default S")
      .check(check_class)
      .type_name("LETTER");
  app.add_option("--exchange", exchange, "keys move in blocks (block, the default) or by message (key)")
      .one_of({"block", "key"})
      .type_name("HOW");
  app.add_flag("--json", json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await run_benchmark(class_name, exchange, json);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, sort); }
