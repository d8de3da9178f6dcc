#include "apps/cg/benchmark.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/cg/solver.hpp"
#include "apps/npb/cg.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace cg {

using namespace tsubu;

namespace {

// The EM-X paper's sparser matrix has every fourth entry of class S.
constexpr std::int64_t thinned_by = 4;

// This PE's part. To thin the matrix, a PE has to see the whole.
npb::csr make_part(const npb::cg_class& problem, const layout& where, bool thin) {
  const range rows = where.rows(this_pe()), columns = where.columns(this_pe());
  npb::csr part = thin ? npb::rows_of(npb::thin(npb::make_matrix(problem), thinned_by), rows.first, rows.last)
                       : npb::make_matrix(problem, rows.first, rows.last);
  if (where.grid_columns() == 1) return part;
  return npb::columns_of(part, columns.first, columns.last);
}

// An outer iteration: z = A^-1 x nearly, then x = z / ||z||. Returns zeta.
task<double> iterate(const npb::cg_class& problem, solver& system) {
  const std::span<double> x = system.b(), z = system.z();
  co_await system.start();
  for (int step = 0; step < npb::cg_inner_steps; ++step) co_await system.step();
  co_await system.residual();
  const double zeta = problem.shift + 1 / co_await sum(npb::dot(x, z));
  npb::scale(1 / std::sqrt(co_await sum(npb::dot(z, z))), z, x);
  co_return zeta;
}

}  // namespace

task<int> run_benchmark(options asked) {
  const npb::cg_class& problem = npb::cg_class_named(asked.class_name);
  program::progress shown("cg");
  shown.begin("making the matrix");
  const layout where = layout::even(asked.how, problem.na, pe_count());
  npb::csr part = make_part(problem, where, asked.thin);
  const std::int64_t nonzeros = co_await all_reduce(part.nonzeros(), reduce::plus);
  const std::unique_ptr<solver> made =
      make_solver(co_await product::make(std::move(part), where, asked.exchange), asked.reductions);
  solver& system = *made;

  shown.begin("warming up");
  std::ranges::fill(system.b(), 1.0);
  co_await iterate(problem, system);
  std::ranges::fill(system.b(), 1.0);

  co_await barrier();
  program::stopwatch watch;
  double zeta = 0;
  for (int iteration = 1; iteration <= problem.niter; ++iteration) {
    zeta = co_await iterate(problem, system);
    shown.step("iteration", iteration, problem.niter);
  }
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  program::result result;
  result.program = "cg";
  result.input_key = "class";
  result.input = problem.name;
  result.exchange = system.exchange();
  result.seconds = seconds;
  result.mops = npb::cg_mops(problem, seconds);
  result.about = fmt::format("NPB CG class {}{}: {} rows, {} nonzeros, {} iterations", problem.name,
                             asked.thin ? ", thinned to a quarter" : "", problem.na, nonzeros, problem.niter);
  result.details.emplace_back("zeta", fmt::format("{:.13f}", zeta));
  if (!asked.thin) {
    result.verified = npb::cg_verified(problem, zeta);
    result.details.emplace_back("expected", fmt::format("{:.13f}, relative error {:.1e}", problem.zeta,
                                                        std::abs(zeta - problem.zeta) / problem.zeta));
  }
  result.details.emplace_back("distribution", where.name());
  result.details.emplace_back("needs", co_await system.needs());
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

}  // namespace cg
