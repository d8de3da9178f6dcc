#include "apps/cg/linear_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/cg/solver.hpp"
#include "apps/npb/blocks.hpp"
#include "apps/npb/matrix_market.hpp"
#include "apps/npb/reorder.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "tsubu/tsubu.hpp"

namespace npb {

// How rows travel.
template <class Archive>
void serialize(Archive& archive, csr& rows) {
  archive(rows.first_row, rows.columns, rows.row_start, rows.column, rows.value);
}

}  // namespace npb

namespace cg {

using namespace tsubu;

static pe_local<tsubu::sync<npb::csr>> rows_in;

void take_rows(npb::csr rows) { rows_in->write(std::move(rows)); }

namespace {

constexpr double tolerance = 1e-10;       // of the residual, relative to ||b||
constexpr double error_tolerance = 1e-6;  // of each element of the solution, which is 1
constexpr std::int64_t most_steps_a_row = 10;

// Reads the file and sends each PE its rows. PE 0 only. Returns what is wrong, or nothing.
std::string read_and_send(const std::string& file, bool reorder) {
  try {
    npb::csr whole = npb::read_matrix_market(file);
    if (reorder) whole = npb::reordered(whole, npb::reverse_cuthill_mckee(whole));
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      at(pe).past<take_rows>(npb::rows_of(whole, npb::block_first(whole.columns, pe_count(), pe),
                                          npb::block_first(whole.columns, pe_count(), pe + 1)));
    }
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

double largest_distance(std::span<const double> values, double from) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - from));
  return largest;
}

}  // namespace

task<int> solve_file(options asked) {
  program::progress shown("cg");
  shown.begin("reading the matrix");
  std::string trouble;
  if (this_pe() == 0) trouble = read_and_send(asked.matrix_file, asked.reorder);
  trouble = co_await broadcast(std::move(trouble));
  if (!trouble.empty()) co_return program::complain("cg", trouble);

  npb::csr rows = co_await rows_in->read();
  const std::int64_t n = rows.columns;
  const std::int64_t nonzeros = co_await all_reduce(rows.nonzeros(), reduce::plus);
  solver system(co_await product::make(std::move(rows), asked.exchange));
  co_await system.set_b_to_product_with(1);

  co_await barrier();
  const std::int64_t start_ns = now_ns();
  co_await system.start();
  const double norm_b = std::sqrt(system.rho());
  if (!(norm_b > 0)) {
    co_return program::complain(
        "cg", fmt::format("{}: expected a positive definite matrix, got A (1, ..., 1) = 0", asked.matrix_file));
  }
  std::int64_t steps = 0;
  bool definite = true;
  while (definite && std::sqrt(system.rho()) > tolerance * norm_b && steps < most_steps_a_row * n) {
    definite = co_await system.step() > 0;
    ++steps;
    shown.step("step", steps, most_steps_a_row * n);
  }
  const double seconds = co_await all_reduce(static_cast<double>(now_ns() - start_ns) * 1e-9, reduce::max);
  if (!definite) {
    co_return program::complain("cg", fmt::format("{}: expected a positive definite matrix, got p.Ap <= 0 in step {}",
                                                  asked.matrix_file, steps));
  }

  const double residual = co_await system.residual() / norm_b;
  const double error = co_await all_reduce(largest_distance(system.z(), 1), reduce::max);
  program::result result;
  result.program = "cg";
  result.input_key = "matrix";
  result.input = asked.matrix_file;
  result.exchange = system.exchange();
  // A small residual alone does not show a solution: of diag(10^12, 1), x = (1, 0) has one of 10^-12.
  const bool solves = residual <= 10 * tolerance;
  result.verified = solves && error <= error_tolerance;
  result.seconds = seconds;
  result.about =
      fmt::format("CG on {}: {} rows, {} nonzeros; A x = b for b = A (1, ..., 1)", asked.matrix_file, n, nonzeros);
  result.details.emplace_back("steps", std::to_string(steps));
  result.details.emplace_back("residual", fmt::format("{:.3e} = ||b - A x|| / ||b||", residual));
  result.details.emplace_back("error",
                              fmt::format("{:.3e} = max |x - 1|, verified up to {:.0e}", error, error_tolerance));
  if (solves && !*result.verified)
    result.details.emplace_back("why", "the residual is small, yet x is not the solution: A is ill-conditioned");
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

}  // namespace cg
