// Teams: collectives over some of the PEs.
//
// A product of matrices, C = A B, over a grid of PEs (SUMMA; R. A. van de Geijn, J. Watts, 1997): PE (r, c) has the
// blocks (r, c) of the three. Whoever has a strip of columns of A broadcasts its part along its row of PEs, and whoever
// has a strip of rows of B along its column of PEs. No PE holds more than its blocks and a part of two strips.
//
//   example_19_teams [SIZE]
#include <tsubu/tsubu.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

using namespace tsubu;

using numbers = std::vector<double>;

constexpr int width = 8;  // of a strip: so many columns of A, and rows of B, are broadcast at a time

// The k-th of `parts` parts of `strips` strips.
struct range {
  int first, last;  // strips, the last one not included
  range(int strips, int parts, int k) : first(strips * k / parts), last(strips * (k + 1) / parts) {}
  int begin() const { return first * width; }
  int size() const { return (last - first) * width; }
};
int part_with(int strip, int strips, int parts) {
  int k = 0;
  while (range(strips, parts, k).last <= strip) ++k;
  return k;
}

// A and B, instead of memory for their blocks. Whole numbers, so that sums are exact.
double a(int i, int j) { return (i + 2 * j) % 7 - 3; }
double b(int i, int j) { return (3 * i - j) % 5 + 1; }

struct grid {
  int rows, columns;
  team row, column;  // of this PE
};

task<grid> made_grid() {
  grid g;
  g.rows = static_cast<int>(std::sqrt(pe_count()));
  while (pe_count() % g.rows != 0) --g.rows;
  g.columns = pe_count() / g.rows;
  g.row = co_await world().split(this_pe() / g.columns);     // its ranks are the numbers of the columns
  g.column = co_await world().split(this_pe() % g.columns);  // and these of the rows
  co_return g;
}

// This PE's block of C, row by row.
task<numbers> product(grid g, int strips) {
  const range rows(strips, g.rows, g.column.rank()), columns(strips, g.columns, g.row.rank());
  numbers c(static_cast<std::size_t>(rows.size()) * static_cast<std::size_t>(columns.size()));
  for (int strip = 0; strip < strips; ++strip) {
    const int has_a = part_with(strip, strips, g.columns), has_b = part_with(strip, strips, g.rows);
    numbers of_a, of_b;
    if (g.row.rank() == has_a) {
      for (int k = strip * width; k < (strip + 1) * width; ++k) {
        for (int i = 0; i < rows.size(); ++i) of_a.push_back(a(rows.begin() + i, k));
      }
    }
    if (g.column.rank() == has_b) {
      for (int k = strip * width; k < (strip + 1) * width; ++k) {
        for (int j = 0; j < columns.size(); ++j) of_b.push_back(b(k, columns.begin() + j));
      }
    }
    // Two teams, two broadcasts at a time.
    std::tie(of_a, of_b) =
        co_await when_all(broadcast(g.row, std::move(of_a), has_a), broadcast(g.column, std::move(of_b), has_b));
    const double* x = of_a.data();
    for (const double* y = of_b.data(); x != of_a.data() + of_a.size(); x += rows.size(), y += columns.size()) {
      double* to = c.data();
      for (int i = 0; i < rows.size(); ++i) {
        for (int j = 0; j < columns.size(); ++j) *to++ += x[i] * y[j];
      }
    }
  }
  co_return c;
}

// How often each last digit stands in this PE's row of the grid; the digits are dealt out to the members.
pe_local<std::vector<long>> counted;
void count(int digit) {
  counted->resize(10);
  ++(*counted)[static_cast<std::size_t>(digit)];
}

task<int> program(arguments args) {
  const int strips = args.number(1, 160) / width;
  const grid g = co_await made_grid();
  const numbers c = co_await product(g, strips);

  // For a vector x, C x = A (B x). Each PE has a part of C x for its rows; its row of PEs adds them up.
  const range rows(strips, g.rows, g.column.rank()), columns(strips, g.columns, g.row.rank());
  numbers bx(static_cast<std::size_t>(strips * width)), sums(static_cast<std::size_t>(rows.size()));
  for (int i = 0; i < strips * width; ++i) {
    for (int j = 0; j < strips * width; ++j) bx[static_cast<std::size_t>(i)] += b(i, j) * (j % 3);
  }
  for (int i = 0; i < rows.size(); ++i) {
    for (int j = 0; j < columns.size(); ++j) {
      sums[static_cast<std::size_t>(i)] +=
          c[static_cast<std::size_t>(i * columns.size() + j)] * ((columns.begin() + j) % 3);
    }
  }
  sums = co_await all_reduce(g.row, std::move(sums), reduce::plus);
  bool right = true;
  for (int i = 0; i < rows.size(); ++i) {
    double wanted = 0;
    for (int k = 0; k < strips * width; ++k) wanted += a(rows.begin() + i, k) * bx[static_cast<std::size_t>(k)];
    right = right && sums[static_cast<std::size_t>(i)] == wanted;
  }

  // Each row of PEs waits for its own messages, and for no other row's.
  const auto send_digits = [&c, &g]() -> task<void> {
    for (const double x : c) {
      const int digit = static_cast<int>(std::fabs(x)) % 10;
      co_await at(g.row.pe(digit % g.row.size())).past<count>(digit);
    }
  };
  co_await epoch(g.row, send_digits);
  long mine = 0;
  for (const long n : *counted) mine += n;
  const long of_row = co_await all_reduce(g.row, mine, reduce::plus);
  right = right && of_row == long{rows.size()} * strips * width;

  right = co_await all_reduce(right, reduce::all);
  if (this_pe() == 0) std::printf("%d rows and %d columns of PEs: %s\n", g.rows, g.columns, right ? "right" : "wrong");
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
