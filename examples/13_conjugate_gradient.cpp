// A conjugate-gradient solver: A x = b, with the five-point Laplacian of a square grid.
//
// PE i owns a block of grid rows. A product needs the grid rows next to the block, which the neighbours
// send: one message per element. The receiver knows how many will come, and waits for the last.
#include <tsubu/tsubu.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace tsubu;

constexpr int side = 40;          // of the grid, without its border, where x is 0
using vec = std::vector<double>;  // of this PE's rows, one after the other: rows x side

struct block {
  int first = side * this_pe() / pe_count(), last = side * (this_pe() + 1) / pe_count();
  vec above = vec(side), below = vec(side);  // the grid rows next to the block
  int missing = 0;                           // elements of them that have not come yet
  tsubu::sync<bool> complete;                // told when the last has come
};
pe_local<block> mine;

pe_id owner_of_row(int row) { return ((row + 1) * pe_count() - 1) / side; }

void put_above(int column, double value) {
  mine->above[static_cast<std::size_t>(column)] = value;
  if (--mine->missing == 0) mine->complete.write(true);
}
void put_below(int column, double value) {
  mine->below[static_cast<std::size_t>(column)] = value;
  if (--mine->missing == 0) mine->complete.write(true);
}

// y = A x. The neighbours cannot be a product ahead: there is an all_reduce after each.
task<vec> product(const vec& x) {
  block& b = *mine;
  if (b.first == b.last) co_return vec();  // more PEs than rows
  const auto at_row = [&](int row, int column) { return x[static_cast<std::size_t>((row - b.first) * side + column)]; };
  for (int c = 0; c < side; ++c) {
    if (b.first > 0) at(owner_of_row(b.first - 1)).past<put_below>(c, at_row(b.first, c));
    if (b.last < side) at(owner_of_row(b.last)).past<put_above>(c, at_row(b.last - 1, c));
  }
  // May already be negative: what came early has counted down.
  const int coming = side * ((b.first > 0 ? 1 : 0) + (b.last < side ? 1 : 0));
  if ((b.missing += coming) != 0) co_await b.complete.read();

  vec y(x.size());
  for (int row = b.first; row < b.last; ++row) {
    for (int c = 0; c < side; ++c) {
      const double up = row > b.first ? at_row(row - 1, c) : b.above[static_cast<std::size_t>(c)];
      const double down = row + 1 < b.last ? at_row(row + 1, c) : b.below[static_cast<std::size_t>(c)];
      const double left = c > 0 ? at_row(row, c - 1) : 0, right = c + 1 < side ? at_row(row, c + 1) : 0;
      y[static_cast<std::size_t>((row - b.first) * side + c)] = 4 * at_row(row, c) - up - down - left - right;
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
  const vec solution(static_cast<std::size_t>((mine->last - mine->first) * side), 1.0);
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
