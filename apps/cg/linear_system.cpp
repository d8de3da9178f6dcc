#include "apps/cg/linear_system.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "apps/cg/solver.hpp"
#include "apps/npb/matrix_market.hpp"
#include "apps/npb/partition.hpp"
#include "apps/npb/reorder.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "tsubu/tsubu.hpp"

namespace npb {

// How a part travels.
template <class Archive>
void serialize(Archive& archive, csr& part) {
  archive(part.first_row, part.columns, part.row_start, part.column, part.value);
}

}  // namespace npb

namespace cg {

using namespace tsubu;

static pe_local<tsubu::sync<npb::csr>> part_in;

void take_part(npb::csr part) { part_in->write(std::move(part)); }

namespace {

constexpr double tolerance = 1e-10;       // of the residual, relative to ||b||
constexpr double error_tolerance = 1e-6;  // of each element of the solution, which is 1
constexpr std::int64_t most_steps_a_row = 10;

double largest_distance(std::span<const double> values, double from) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - from));
  return largest;
}

// Divides the matrix by the power of two next to its largest value. As b = A (1, ..., 1) is divided with it, the
// solution and every digit of the steps towards it stay; and no sum of squares is too large for a double, or too small.
void scale(npb::csr& whole) {
  int exponent = 0;
  std::frexp(largest_distance(whole.value, 0), &exponent);
  for (double& value : whole.value) value = std::ldexp(value, -exponent);
}

// Reads the file, renumbers it as asked, and says which PE shall have which elements.
std::vector<std::int64_t> read(const options& asked, npb::csr& whole) {
  whole = npb::read_matrix_market(asked.matrix_file);
  scale(whole);
  if (asked.reorder == numbering::by_cut) {
    npb::row_parts parts = npb::partition_rows(whole, pe_count());
    whole = npb::reordered(whole, parts.order);
    return std::move(parts.first);
  }
  if (asked.reorder == numbering::by_bandwidth) whole = npb::reordered(whole, npb::reverse_cuthill_mckee(whole));
  return layout::even(asked.how, whole.columns, pe_count()).first();
}

void send_parts(const npb::csr& whole, const layout& where) {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    const range rows = where.rows(pe), columns = where.columns(pe);
    npb::csr part = npb::rows_of(whole, rows.first, rows.last);
    if (where.grid_columns() > 1) part = npb::columns_of(part, columns.first, columns.last);
    at(pe).past<take_part>(std::move(part));
  }
}

}  // namespace

task<int> solve_file(options asked) {
  program::progress shown("cg");
  shown.begin("reading the matrix");
  npb::csr whole;  // on PE 0
  std::vector<std::int64_t> first;
  std::string trouble;
  if (this_pe() == 0) {
    try {
      first = read(asked, whole);
    } catch (const std::exception& error) {
      trouble = error.what();
    }
  }
  trouble = co_await broadcast(std::move(trouble));
  if (!trouble.empty()) co_return program::complain("cg", trouble);
  const layout where(asked.how, co_await broadcast(std::move(first)));
  if (this_pe() == 0) send_parts(std::exchange(whole, {}), where);

  npb::csr part = co_await part_in->read();
  const std::int64_t n = part.columns;
  const std::int64_t nonzeros = co_await all_reduce(part.nonzeros(), reduce::plus);
  const std::unique_ptr<solver> made =
      make_solver(co_await product::make(std::move(part), where, asked.exchange), asked.reductions);
  solver& system = *made;
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
    definite = co_await system.step();
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
  result.details.emplace_back("distribution", where.name());
  result.details.emplace_back("needs", co_await system.needs());
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

}  // namespace cg
