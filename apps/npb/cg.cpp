#include "apps/npb/cg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/npb/class_table.hpp"
#include "apps/npb/random.hpp"
#include "tsubu/base/clock.hpp"

namespace npb {
namespace {

constexpr double rcond = 0.1;  // reciprocal of the condition number that the generator aims at

constexpr std::array<cg_class, 6> classes{{
    {'S', 1400, 7, 15, 10, 8.5971775078648, 78148},
    {'W', 7000, 8, 15, 12, 10.362595087124, 508402},
    {'A', 14000, 11, 15, 20, 17.130235054029, 1853104},
    {'B', 75000, 13, 75, 60, 22.712745482631, 13708072},
    {'C', 150000, 15, 75, 110, 28.973605592845, 36121058},
    {'D', 1500000, 21, 100, 500, 52.514532105794, 0},
}};

// The na sparse vectors whose outer products make up the matrix, all of them, one behind the other.
// Vector i has the entries [start[i], start[i + 1]); nonzer or nonzer + 1 of them, in the order drawn.
struct generating_vectors {
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> position;
  std::vector<double> value;
};

generating_vectors draw_vectors(const cg_class& problem) {
  const auto n = static_cast<std::size_t>(problem.na);
  generating_vectors vectors;
  vectors.start.reserve(n + 1);
  vectors.position.reserve(n * static_cast<std::size_t>(problem.nonzer + 1));
  vectors.value.reserve(n * static_cast<std::size_t>(problem.nonzer + 1));

  double range = 2;
  while (range < static_cast<double>(n)) range *= 2;
  random_stream random;
  random.next();

  std::vector<std::int32_t> last_vector_with(n, -1);  // the last vector that has an entry at a position
  for (std::int32_t i = 0; i < problem.na; ++i) {
    bool has_diagonal = false;
    for (int entries = 0; entries < problem.nonzer;) {
      const double value = random.next();
      const auto position = static_cast<std::int32_t>(range * random.next());
      if (position >= problem.na) continue;
      std::int32_t& seen = last_vector_with[static_cast<std::size_t>(position)];
      if (seen == i) continue;
      seen = i;
      has_diagonal |= position == i;
      vectors.position.push_back(position);
      vectors.value.push_back(position == i ? 0.5 : value);
      ++entries;
    }
    if (!has_diagonal) {
      vectors.position.push_back(i);
      vectors.value.push_back(0.5);
    }
    vectors.start.push_back(static_cast<std::int64_t>(vectors.position.size()));
  }
  return vectors;
}

// For each kept row, the entries (indices into `vectors`) that lie in it, in the order of their vectors.
struct entries_by_row {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> vector;  // number of the vector
  std::vector<std::int32_t> offset;  // of the entry in its vector
};

entries_by_row group_by_row(const generating_vectors& vectors, std::int64_t first_row, std::int64_t last_row) {
  entries_by_row kept;
  kept.start.assign(static_cast<std::size_t>(last_row - first_row) + 1, 0);
  for (const std::int32_t row : vectors.position)
    if (row >= first_row && row < last_row) ++kept.start[static_cast<std::size_t>(row - first_row) + 1];
  for (std::size_t i = 1; i < kept.start.size(); ++i) kept.start[i] += kept.start[i - 1];

  std::vector<std::int64_t> next(kept.start.begin(), kept.start.end() - 1);
  kept.vector.resize(static_cast<std::size_t>(kept.start.back()));
  kept.offset.resize(kept.vector.size());
  for (std::size_t i = 0; i + 1 < vectors.start.size(); ++i)
    for (std::int64_t k = vectors.start[i]; k < vectors.start[i + 1]; ++k) {
      const std::int32_t row = vectors.position[static_cast<std::size_t>(k)];
      if (row < first_row || row >= last_row) continue;
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(row - first_row)]++);
      kept.vector[place] = static_cast<std::int32_t>(i);
      kept.offset[place] = static_cast<std::int32_t>(k - vectors.start[i]);
    }
  return kept;
}

// The weight of vector i: 1, then times rcond^(1/n) each.
std::vector<double> vector_weights(int n) {
  const double ratio = std::pow(rcond, 1.0 / n);
  std::vector<double> weight(static_cast<std::size_t>(n));
  double size = 1;
  for (double& w : weight) {
    w = size;
    size *= ratio;
  }
  return weight;
}

}  // namespace

std::span<const cg_class> cg_classes() { return classes; }

const cg_class& cg_class_named(std::string_view name) { return class_named(cg_classes(), name, "CG"); }

csr make_matrix(const cg_class& problem, std::int64_t first_row, std::int64_t last_row) {
  const generating_vectors vectors = draw_vectors(problem);
  const entries_by_row kept = group_by_row(vectors, first_row, last_row);
  const std::vector<double> weight = vector_weights(problem.na);

  csr matrix;
  matrix.first_row = first_row;
  matrix.columns = problem.na;
  matrix.row_start.reserve(static_cast<std::size_t>(last_row - first_row) + 1);
  // An upper bound: products before those at the same place are added. The pages that stay unused are never touched.
  const std::size_t products = kept.vector.size() * static_cast<std::size_t>(problem.nonzer + 1);
  matrix.column.reserve(products);
  matrix.value.reserve(products);

  // Row by row: the sum lies in a dense row, the columns touched are listed, sorted and gathered.
  std::vector<double> sum(static_cast<std::size_t>(problem.na), 0.0);
  std::vector<std::int64_t> touched_by(sum.size(), -1);
  for (std::int64_t row = first_row; row < last_row; ++row) {
    const auto row_begin = static_cast<std::ptrdiff_t>(matrix.column.size());
    const auto local = static_cast<std::size_t>(row - first_row);
    for (std::int64_t e = kept.start[local]; e < kept.start[local + 1]; ++e) {
      const auto i = static_cast<std::size_t>(kept.vector[static_cast<std::size_t>(e)]);
      const std::int64_t begin = vectors.start[i];
      const double factor =
          weight[i] * vectors.value[static_cast<std::size_t>(begin + kept.offset[static_cast<std::size_t>(e)])];
      for (std::int64_t k = begin; k < vectors.start[i + 1]; ++k) {
        const std::int32_t column = vectors.position[static_cast<std::size_t>(k)];
        const auto c = static_cast<std::size_t>(column);
        double product = vectors.value[static_cast<std::size_t>(k)] * factor;
        if (column == row && static_cast<std::int64_t>(i) == row) product = product + rcond - problem.shift;
        if (touched_by[c] == row) {
          sum[c] += product;
        } else {
          touched_by[c] = row;
          sum[c] = product;
          matrix.column.push_back(column);
        }
      }
    }
    std::sort(matrix.column.begin() + row_begin, matrix.column.end());
    for (auto c = matrix.column.begin() + row_begin; c != matrix.column.end(); ++c)
      matrix.value.push_back(sum[static_cast<std::size_t>(*c)]);
    matrix.row_start.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  return matrix;
}

double dot(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    sum0 += x[i] * y[i];
    sum1 += x[i + 1] * y[i + 1];
    sum2 += x[i + 2] * y[i + 2];
    sum3 += x[i + 3] * y[i + 3];
  }
  for (; i < n; ++i) sum0 += x[i] * y[i];
  return (sum0 + sum1) + (sum2 + sum3);
}

double cg_start(std::span<const double> x, std::span<double> z, std::span<double> r, std::span<double> p) {
  std::fill(z.begin(), z.end(), 0.0);
  std::copy(x.begin(), x.end(), r.begin());
  std::copy(x.begin(), x.end(), p.begin());
  return dot(x, x);
}

double cg_advance(double alpha, std::span<const double> p, std::span<const double> q, std::span<double> z,
                  std::span<double> r) {
  for (std::size_t i = 0; i < p.size(); ++i) z[i] += alpha * p[i];
  for (std::size_t i = 0; i < p.size(); ++i) r[i] -= alpha * q[i];
  return dot(r, r);
}

void cg_direct(double beta, std::span<const double> r, std::span<double> p) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
}

double cg_residual(std::span<const double> x, std::span<const double> az) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - az[i]) * (x[i] - az[i]);
  return sum;
}

void scale(double factor, std::span<const double> z, std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = factor * z[i];
}

double conj_grad(const csr& a, std::span<const double> x, std::span<double> z, int steps) {
  std::vector<double> r(x.size()), p(x.size()), q(x.size());
  double rho = cg_start(x, z, r, p);
  for (int step = 0; step < steps; ++step) {
    spmv(a, p, q);
    const double alpha = rho / dot(p, q);
    const double previous = rho;
    rho = cg_advance(alpha, p, q, z, r);
    cg_direct(rho / previous, r, p);
  }
  spmv(a, z, q);
  return std::sqrt(cg_residual(x, q));
}

cg_result run_cg(const cg_class& problem, const csr& a, int steps) {
  std::vector<double> x(static_cast<std::size_t>(problem.na), 1.0), z(x.size());
  cg_result result;
  std::int64_t start_ns = 0;
  for (int iteration = 0; iteration <= problem.niter; ++iteration) {
    if (iteration == 1) {
      std::fill(x.begin(), x.end(), 1.0);
      start_ns = tsubu::now_ns();
    }
    result.residual = conj_grad(a, x, z, steps);
    const double zeta = problem.shift + 1.0 / dot(x, z);
    scale(1.0 / std::sqrt(dot(z, z)), z, x);
    if (iteration > 0) result.zeta.push_back(zeta);
  }
  result.seconds = static_cast<double>(tsubu::now_ns() - start_ns) * 1e-9;
  return result;
}

bool cg_verified(const cg_class& problem, double zeta) {
  return std::abs(zeta - problem.zeta) / problem.zeta <= cg_tolerance;  // false for NaN
}

double cg_mops(const cg_class& problem, double seconds) {
  const double n = problem.na;
  const double per_row = static_cast<double>(problem.nonzer) * (problem.nonzer + 1);
  return 2.0 * problem.niter * n * (3 + per_row + cg_inner_steps * (5 + per_row) + 3) / seconds * 1e-6;
}

}  // namespace npb
