#include "apps/jacobi/band.hpp"

#include <algorithm>
#include <cmath>

#include "apps/program/stopwatch.hpp"

namespace jacobi {
namespace {

using namespace tsubu;

// The column of an element, or none.
bool in_matrix(const band_problem& p, std::size_t i, std::size_t d) {
  return i + d >= p.half && i + d - p.half < p.unknowns;
}

template <class D>
task<band_result> solve(band_problem p, protocol matrix, protocol vector, D distribution) {
  const auto a = co_await create_shared_array(p.unknowns * p.width(), distribution, matrix, 0.0);
  const auto x = co_await create_shared_array(p.unknowns, by_block(), vector, 0.0);
  std::vector<std::size_t> mine;
  x.for_each_here([&](std::size_t i) { mine.push_back(i); });
  for (const std::size_t i : mine) {
    for (std::size_t d = 0; d < p.width(); ++d) co_await a[i * p.width() + d].write(p.element(i, d));
  }
  std::vector<double> right;
  for (const std::size_t i : mine) right.push_back(p.right_side(i));
  std::vector<double> next(mine.size());
  co_await barrier();

  band_result result;
  program::stopwatch watch;
  double change = 0;
  do {
    double change_here = 0;
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const std::size_t i = mine[k];
      double sum = right[k];
      for (std::size_t d = 0; d < p.width(); ++d) {
        if (d == p.half || !in_matrix(p, i, d)) continue;
        const double element = co_await a[i * p.width() + d].read();
        sum -= element * co_await x[i + d - p.half].read();
      }
      next[k] = sum / co_await a[i * p.width() + p.half].read();
      const double before = co_await x[i].read();
      change_here += (next[k] - before) * (next[k] - before);
    }
    change = std::sqrt(co_await all_reduce(change_here, reduce::plus));  // nobody reads this step's x any more
    for (std::size_t k = 0; k < mine.size(); ++k) x[mine[k]].put(next[k]);
    co_await quiescence();
    ++result.iterations;
  } while (change > p.tolerance);
  result.seconds = co_await all_reduce(watch.seconds(), reduce::max);

  double error = 0;
  for (const std::size_t i : mine) error = std::max(error, std::abs(co_await x[i].read() - p.solution(i)));
  result.error = co_await all_reduce(error, reduce::max);
  co_await a.end();
  co_await x.end();
  co_return result;
}

}  // namespace

double band_problem::element(std::size_t i, std::size_t d) const {
  if (!in_matrix(*this, i, d)) return 0;
  if (d == half) return 2.5 * static_cast<double>(half) + static_cast<double>(i % 3);
  return -1.0 / (1.0 + static_cast<double>((i + d) % 5) / 4);
}

double band_problem::right_side(std::size_t i) const {
  double sum = 0;
  for (std::size_t d = 0; d < width(); ++d) {
    if (in_matrix(*this, i, d)) sum += element(i, d) * solution(i + d - half);
  }
  return sum;
}

task<band_result> solve_band(band_problem problem, protocol matrix, protocol vector, bool cyclic) {
  if (cyclic) return solve(problem, matrix, vector, by_cycle());
  return solve(problem, matrix, vector, by_block());
}

band_result solve_band_here(const band_problem& p) {
  std::vector<double> x(p.unknowns), next(p.unknowns);
  band_result result;
  double change = 0;
  do {
    change = 0;
    for (std::size_t i = 0; i < p.unknowns; ++i) {
      double sum = p.right_side(i);
      for (std::size_t d = 0; d < p.width(); ++d) {
        if (d != p.half && in_matrix(p, i, d)) sum -= p.element(i, d) * x[i + d - p.half];
      }
      next[i] = sum / p.element(i, p.half);
      change += (next[i] - x[i]) * (next[i] - x[i]);
    }
    x.swap(next);
    ++result.iterations;
  } while (std::sqrt(change) > p.tolerance);
  for (std::size_t i = 0; i < p.unknowns; ++i) result.error = std::max(result.error, std::abs(x[i] - p.solution(i)));
  return result;
}

}  // namespace jacobi
