// A conjugate-gradient solver: A x = b, with the five-point Laplacian of a square grid.
//
// PE i owns a block of grid rows. A product needs the grid rows next to the block, which the neighbours send: a message
// for each row, and a queue for each side, in which a row waits until its product is computed.
#include <tsubu/tsubu.hpp>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

using namespace tsubu;

constexpr std::size_t side = 40;  // of the grid, without its border, where x is 0
using vec = std::vector<double>;  // of this PE's rows, one after the other: rows x side

pe_local<tsubu::sync<vec>> rows_above, rows_below;  // what the neighbours have sent

void put_above(vec row) { rows_above->write(std::move(row)); }
void put_below(vec row) { rows_below->write(std::move(row)); }

// y = A x.
task<vec> product(const vec& x) {
  const auto mine = part_of(side);
  if (mine.empty()) co_return vec();  // more PEs than rows
  const bool is_first = mine.from() == 0, is_last = mine.to() == side;
  if (!is_first) at(owner_of(side, mine.from() - 1)).past<put_below>(vec(x.begin(), x.begin() + side));
  if (!is_last) at(owner_of(side, mine.to())).past<put_above>(vec(x.end() - side, x.end()));
  vec above(side), below(side);
  if (!is_first) above = co_await rows_above->read();
  if (!is_last) below = co_await rows_below->read();

  vec y(x.size());
  for (std::size_t row = 0; row < mine.size(); ++row) {
    const double* row_x = &x[row * side];
    const double* up = row > 0 ? row_x - side : above.data();
    const double* down = row + 1 < mine.size() ? row_x + side : below.data();
    for (std::size_t c = 0; c < side; ++c) {
      const double left = c > 0 ? row_x[c - 1] : 0, right = c + 1 < side ? row_x[c + 1] : 0;
      y[row * side + c] = 4 * row_x[c] - up[c] - down[c] - left - right;
    }
  }
  co_return y;
}

task<double> dot(const vec& a, const vec& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return all_reduce(sum, reduce::plus);
}

task<int> program(arguments) {
  const vec solution(part_of(side).size() * side, 1.0);
  const vec b = co_await product(solution);

  vec x(b.size()), r = b, p = r;
  double rho = co_await dot(r, r);
  const double rho_begin = rho;
  int steps = 0;
  for (; rho > 1e-20 * rho_begin && steps < 1000; ++steps) {
    const vec q = co_await product(p);
    const double alpha = rho / co_await dot(p, q);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += alpha * p[i], r[i] -= alpha * q[i];
    const double rho_before = rho;
    rho = co_await dot(r, r);
    for (std::size_t i = 0; i < x.size(); ++i) p[i] = r[i] + rho / rho_before * p[i];
  }

  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - solution[i]));
  error = co_await all_reduce(error, reduce::max);
  if (this_pe() == 0) std::printf("%d steps, largest error %.1e\n", steps, error);
  co_return error < 1e-8 ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
