// bale's toposort on Tsubu: the order in which a matrix is upper triangular.
#include <fmt/core.h>
#include "apps/graph/load.hpp"
#include "apps/graph/permute.hpp"
#include "apps/graph/transpose.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "apps/toposort/sorter.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

// Runs on every PE.
task<int> sort_matrix(arguments words) {
  graph::input from{.rows = 500'000, .degree = 10, .file = {}};
  bool json = false;
  program::command_line app(
      "Finds the order of rows and columns in which a matrix is upper triangular: the kernel toposort of bale",
      "toposort");
  from.add_options(app);
  app.add_flag("--json", json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;

  program::progress shown("toposort");
  shown.begin("making the matrix");
  const graph::file_rules square{.square = true};
  graph::loaded given =
      co_await graph::load(from, graph::part::upper_with_diagonal, square, graph::repeats::add, &shown);
  if (!given.trouble.empty()) co_return program::complain("toposort", given.trouble);
  graph::sparse_rows matrix = std::move(given.rows);
  if (from.file.empty()) {
    random_source seeds(from.seed);
    const graph::random_permutation rows(seeds(), matrix.rows);
    const graph::random_permutation columns(seeds(), matrix.columns);
    const graph::sparse_rows upper = std::move(matrix);
    matrix = co_await graph::permute(&upper, rows, columns, &shown);
  }
  const graph::sparse_rows columns = co_await graph::transpose(&matrix, &shown);

  shown.begin("sorting");
  co_await barrier();
  program::stopwatch watch;
  const toposort::order found = co_await toposort::sort(&matrix, &columns);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);
  if (found.placed != matrix.rows && !from.file.empty()) {
    co_return program::complain("toposort",
                                fmt::format("{}: expected a matrix that some order of rows and columns makes "
                                            "upper triangular with a full diagonal, got one in which {} of "
                                            "{} rows find a place",
                                            from.file, found.placed, matrix.rows));
  }

  shown.begin("verifying");
  toposort::verdict verdict;
  if (found.placed == matrix.rows) verdict = co_await toposort::inspect(&matrix, &found);
  const auto nonzeros = co_await all_reduce(static_cast<std::int64_t>(matrix.nonzeros()), reduce::plus);

  program::result result;
  result.program = "toposort";
  result.input_key = "matrix";
  result.input = from.name();
  result.exchange = "message";
  result.verified = verdict.permutations && verdict.below == 0 && verdict.diagonal == matrix.rows;
  result.seconds = seconds;
  result.mops = static_cast<double>(found.messages) / seconds * 1e-6;
  result.counts.emplace_back("nonzeros", nonzeros);
  result.counts.emplace_back("levels", found.levels);
  result.about = fmt::format("Topological order of a matrix of {} rows ({}), a message a pivot and a nonzero",
                             matrix.rows, from.name());
  result.details.emplace_back("order", verdict.permutations ? "a place for each row and column" : "not an order");
  result.details.emplace_back("diagonal", fmt::format("{} of {} entries", verdict.diagonal, matrix.rows));
  result.details.emplace_back("below it", fmt::format("{} entries", verdict.below));
  program::print(result, json);
  co_return program::exit_code(result);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, sort_matrix); }
