// bale's permute_matrix on Tsubu: random permutations of a sparse matrix's rows and columns, by message.
#include <fmt/core.h>
#include "apps/graph/load.hpp"
#include "apps/graph/permute.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

// The digest that the permuted matrix must have, made without it.
std::uint64_t digest_of_permuted(const graph::sparse_rows& of, const graph::random_permutation& rows,
                                 const graph::random_permutation& columns) {
  std::uint64_t sum = 0;
  for (graph::vertex local = 0; local < of.local_rows(); ++local) {
    const graph::vertex row = rows(of.share.global(local));
    for (std::uint64_t k = of.start[local]; k < of.start[local + 1]; ++k)
      sum += graph::entry_digest({row, columns(of.column[k]), of.value[k]});
  }
  return sum;
}

// Runs on every PE.
task<int> permute_matrix(arguments words) {
  graph::input from{.rows = 500'000, .degree = 20, .file = {}};
  std::uint64_t seed = 2;
  bool json = false;
  program::command_line app("Permutes the rows and columns of a sparse matrix: the kernel permute_matrix of bale",
                            "permute_matrix");
  from.add_options(app);
  app.add_option("--permutation-seed", seed, "of the permutations' random numbers; default 2").type_name("S");
  app.add_flag("--json", json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;

  program::progress shown("permute_matrix");
  shown.begin("making the matrix");
  const graph::file_rules any_matrix;
  const graph::loaded given = co_await graph::load(from, graph::part::whole, any_matrix, graph::repeats::add, &shown);
  if (!given.trouble.empty()) co_return program::complain("permute_matrix", given.trouble);
  const graph::sparse_rows& matrix = given.rows;
  tsubu::random_source seeds(seed);
  const graph::random_permutation rows(seeds(), matrix.rows);
  const graph::random_permutation columns(seeds(), matrix.columns);

  co_await barrier();
  program::stopwatch watch;
  const graph::sparse_rows permuted = co_await graph::permute(&matrix, rows, columns, &shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const bool right =
      co_await all_reduce(graph::digest(permuted) - digest_of_permuted(matrix, rows, columns), reduce::plus) == 0;
  const auto nonzeros = co_await all_reduce(static_cast<std::int64_t>(matrix.nonzeros()), reduce::plus);
  const auto found = co_await all_reduce(static_cast<std::int64_t>(permuted.nonzeros()), reduce::plus);

  program::result result;
  result.program = "permute_matrix";
  result.input_key = "matrix";
  result.input = from.name();
  result.exchange = "message";
  result.verified = right && nonzeros == found;
  result.seconds = seconds;
  result.mops = (2 * static_cast<double>(nonzeros) + matrix.rows) / seconds * 1e-6;
  result.counts.emplace_back("nonzeros", nonzeros);
  result.about = fmt::format("Permutation {} of a matrix of {} rows and {} columns ({}), two messages a nonzero", seed,
                             matrix.rows, matrix.columns, from.name());
  result.details.emplace_back("entries", right ? "all where they belong" : "not where they belong");
  program::print(result, json);
  co_return program::exit_code(result);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, permute_matrix); }
