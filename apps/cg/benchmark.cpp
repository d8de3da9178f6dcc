#include "apps/cg/benchmark.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/cg/solver.hpp"
#include "apps/npb/blocks.hpp"
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

// This PE's rows. To thin them, a PE has to see the whole matrix.
npb::csr make_rows(const npb::cg_class& problem, bool thin) {
  const std::int64_t first = npb::block_first(problem.na, pe_count(), this_pe());
  const std::int64_t last = npb::block_first(problem.na, pe_count(), this_pe() + 1);
  if (!thin) return npb::make_matrix(problem, first, last);
  return npb::rows_of(npb::thin(npb::make_matrix(problem), thinned_by), first, last);
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
  npb::csr rows = make_rows(problem, asked.thin);
  const std::int64_t nonzeros = co_await all_reduce(rows.nonzeros(), reduce::plus);
  solver system(co_await product::make(std::move(rows), asked.exchange));

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
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

}  // namespace cg
