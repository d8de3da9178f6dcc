// Jacobi's method on a grid in plain C++ with OpenMP: the stencil of apps/jacobi, on values that tell whether it is
// done right. At the beginning they are x^2 - y^2, which the stencil leaves as it is, and a wave, which each step
// multiplies by a known factor.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

namespace {

// size x size points, and a border.
struct grid {
  std::size_t size;
  std::vector<double> values;

  explicit grid(std::size_t n) : size(n), values((n + 2) * (n + 2)) {}
  double* row(std::size_t i) { return &values[i * (size + 2)]; }
  const double* row(std::size_t i) const { return &values[i * (size + 2)]; }
};

double exact(const grid& of, std::size_t i, std::size_t j, std::int64_t step) {
  const double h = 1 / static_cast<double>(of.size + 1);
  const double y = h * static_cast<double>(i), x = h * static_cast<double>(j);
  const double factor = (std::cos(std::numbers::pi * h) + std::cos(3 * std::numbers::pi * h)) / 2;
  return x * x - y * y +
         std::pow(factor, static_cast<double>(step)) * std::sin(std::numbers::pi * y) *
             std::sin(3 * std::numbers::pi * x);
}

void fill(grid& g) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < g.size + 2; ++i) {
    for (std::size_t j = 0; j < g.size + 2; ++j) g.row(i)[j] = exact(g, i, j, 0);
  }
}

void step(const grid& from, grid& to) {
  const std::size_t n = from.size;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 1; i <= n; ++i) {
    const double *above = from.row(i - 1), *row = from.row(i), *below = from.row(i + 1);
    double* __restrict out = to.row(i);
    for (std::size_t j = 1; j <= n; ++j) out[j] = 0.25 * ((above[j] + below[j]) + (row[j - 1] + row[j + 1]));
  }
}

double error(const grid& g, std::int64_t steps) {
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t i = 1; i <= g.size; ++i) {
    for (std::size_t j = 1; j <= g.size; ++j)
      largest = std::max(largest, std::abs(g.row(i)[j] - exact(g, i, j, steps)));
  }
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t size = 2048, iterations = 100, threads = 2;
  bench::parse_options(argc, argv, "Jacobi's method on a grid, with OpenMP",
                       {{"--size", &size, "rows and columns"},
                        {"--iterations", &iterations, "steps"},
                        {"--threads", &threads, "of OpenMP"}});
  omp_set_num_threads(static_cast<int>(threads));
  grid before(static_cast<std::size_t>(size)), after(before.size);
  fill(before);
  fill(after);
  const std::int64_t start_ns = tsubu::now_ns();
  for (std::int64_t k = 0; k < iterations; ++k) {
    step(before, after);
    std::swap(before, after);
  }
  const double seconds = static_cast<double>(tsubu::now_ns() - start_ns) * 1e-9;
  if (error(before, iterations) > 1e-10) {
    std::fprintf(stderr, "jacobi_openmp: the values are wrong\n");
    return EXIT_FAILURE;
  }
  bench::result_line("jacobi_openmp")
      .add("pes", threads)
      .add("size", size)
      .add("iterations", iterations)
      .add("seconds", seconds)
      .add("mops", static_cast<double>(size * size * iterations) / seconds * 1e-6)
      .print();
}
