// bale's transpose_matrix on Tsubu: the transpose of a sparse matrix, two messages for each nonzero.
#include <fmt/core.h>
#include "apps/graph/load.hpp"
#include "apps/graph/transpose.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

// The digest that the transpose of `of` must have, made without it.
std::uint64_t digest_of_transpose(const graph::sparse_rows& of) {
  std::uint64_t sum = 0;
  for (graph::vertex local = 0; local < of.local_rows(); ++local) {
    for (std::uint64_t k = of.start[local]; k < of.start[local + 1]; ++k)
      sum += graph::entry_digest({of.column[k], of.share.global(local), of.value[k]});
  }
  return sum;
}

// Runs on every PE.
task<int> transpose_matrix(arguments words) {
  graph::input from{.rows = 500'000, .degree = 20, .file = {}};
  bool json = false;
  program::command_line app("Transposes a sparse matrix: the kernel transpose_matrix of bale", "transpose_matrix");
  from.add_options(app);
  app.add_flag("--json", json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;

  program::progress shown("transpose_matrix");
  shown.begin("making the matrix");
  const graph::file_rules any_matrix;
  const graph::loaded given = co_await graph::load(from, graph::part::whole, any_matrix, graph::repeats::add, &shown);
  if (!given.trouble.empty()) co_return program::complain("transpose_matrix", given.trouble);
  const graph::sparse_rows& matrix = given.rows;

  co_await barrier();
  program::stopwatch watch;
  graph::sparse_rows transposed = co_await graph::transpose(&matrix, &shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const bool same_entries =
      co_await all_reduce(graph::digest(transposed) - digest_of_transpose(matrix), reduce::plus) == 0;
  graph::sparse_rows twice = co_await graph::transpose(&transposed, &shown);
  graph::sort_rows(twice);
  const bool restored = co_await all_reduce(twice == matrix, reduce::all);
  const auto nonzeros = co_await all_reduce(static_cast<std::int64_t>(matrix.nonzeros()), reduce::plus);

  program::result result;
  result.program = "transpose_matrix";
  result.input_key = "matrix";
  result.input = from.name();
  result.exchange = "message";
  result.verified = same_entries && restored;
  result.seconds = seconds;
  result.mops = 2 * static_cast<double>(nonzeros) / seconds * 1e-6;
  result.counts.emplace_back("nonzeros", nonzeros);
  result.about = fmt::format("Transpose of a matrix of {} rows and {} columns ({}), two messages a nonzero",
                             matrix.rows, matrix.columns, from.name());
  result.details.emplace_back("entries", same_entries ? "all where they belong" : "not those of the transpose");
  result.details.emplace_back("twice", restored ? "the matrix itself" : "not the matrix itself");
  program::print(result, json);
  co_return program::exit_code(result);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, transpose_matrix); }
