// Sparse matrices of many shapes, as what a PE needs of them: the columns of its rows, which are in blocks
// (by_block()).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "apps/npb/cg.hpp"

namespace bench {

struct sparse_pattern {
  std::string name;
  std::size_t n;
  // The columns of a row; the same whoever asks.
  std::function<void(std::size_t row, std::vector<std::int32_t>& columns)> add_row;
};

// Draws that depend on the row only.
class row_draws {
 public:
  explicit row_draws(std::size_t row) : bits_(row * 7919 + 12345) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits_() % n); }
  double unit() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 bits_;
};

inline void add_near(std::vector<std::int32_t>& columns, std::size_t n, std::size_t row, std::size_t half_width) {
  const std::size_t first = row < half_width ? 0 : row - half_width, last = std::min(n - 1, row + half_width);
  for (std::size_t c = first; c <= last; ++c) columns.push_back(static_cast<std::int32_t>(c));
}

inline sparse_pattern banded(std::size_t n, std::size_t half_width) {
  return {"banded_" + std::to_string(half_width), n,
          [=](std::size_t row, std::vector<std::int32_t>& columns) { add_near(columns, n, row, half_width); }};
}
inline sparse_pattern random(std::size_t n, std::size_t per_row) {
  return {"random_" + std::to_string(per_row), n, [=](std::size_t row, std::vector<std::int32_t>& columns) {
            row_draws draw(row);
            for (std::size_t k = 0; k < per_row; ++k) columns.push_back(static_cast<std::int32_t>(draw.below(n)));
          }};
}
// Columns of low numbers are meant far more often: column c by about c^-exponent.
inline sparse_pattern power_law(std::size_t n, double exponent) {
  return {"power_law_" + std::to_string(static_cast<int>(exponent * 10)), n,
          [=](std::size_t row, std::vector<std::int32_t>& columns) {
            row_draws draw(row);
            for (int k = 0; k < 8; ++k) {
              const double at = std::pow(draw.unit(), exponent / (exponent - 1)) * static_cast<double>(n);
              columns.push_back(static_cast<std::int32_t>(std::min<double>(at, static_cast<double>(n - 1))));
            }
          }};
}
// Nine of ten within a hundredth of the columns around the diagonal: the paper's 6.4.
inline sparse_pattern near_diagonal(std::size_t n) {
  return {"near_diagonal", n, [=](std::size_t row, std::vector<std::int32_t>& columns) {
            row_draws draw(row);
            const std::size_t width = std::max<std::size_t>(n / 100, 2);
            for (int k = 0; k < 10; ++k) {
              const std::size_t near = std::min(n - 1, row + draw.below(width) - std::min(row, width / 2));
              columns.push_back(static_cast<std::int32_t>(k == 0 ? draw.below(n) : near));
            }
          }};
}
inline sparse_pattern arrow(std::size_t n) {
  return {"arrow", n, [=](std::size_t row, std::vector<std::int32_t>& columns) {
            if (row == 0) {
              add_near(columns, n, 0, n);
            } else {
              columns.push_back(0);
              columns.push_back(static_cast<std::int32_t>(row));
            }
          }};
}
// Dense blocks on the diagonal, coupled to the next one by one element.
inline sparse_pattern blocks(std::size_t n, std::size_t size) {
  return {"blocks_" + std::to_string(size), n, [=](std::size_t row, std::vector<std::int32_t>& columns) {
            const std::size_t first = row / size * size;
            for (std::size_t c = first; c < std::min(n, first + size); ++c)
              columns.push_back(static_cast<std::int32_t>(c));
            columns.push_back(static_cast<std::int32_t>((first + size) % n));
          }};
}
// Those of the EM-X paper: A is NPB's class S, B every fourth nonzero of it.
inline sparse_pattern npb_matrix(const std::string& name, int keep_every) {
  const auto whole = std::make_shared<npb::csr>(npb::thin(npb::make_matrix(npb::cg_class_named("S")), keep_every));
  return {name, static_cast<std::size_t>(whole->columns), [whole](std::size_t row, std::vector<std::int32_t>& columns) {
            columns.insert(columns.end(), whole->column.begin() + whole->row_start[row],
                           whole->column.begin() + whole->row_start[row + 1]);
          }};
}

// All, of two sizes.
inline std::vector<sparse_pattern> sparse_patterns() {
  std::vector<sparse_pattern> all;
  for (const std::size_t n : {std::size_t{1400}, std::size_t{20000}}) {
    std::vector<sparse_pattern> some{
        banded(n, 1),
        banded(n, 8),
        banded(n, 64),
        banded(n, 400),
        random(n, 1),
        random(n, 4),
        random(n, 14),
        random(n, 56),
        power_law(n, 1.2),
        power_law(n, 1.5),
        power_law(n, 2.5),
        near_diagonal(n),
        arrow(n),
        blocks(n, 10),
        blocks(n, 50),
        blocks(n, 333),
        {"diagonal", n,
         [](std::size_t row, std::vector<std::int32_t>& c) { c.push_back(static_cast<std::int32_t>(row)); }},
        {"reversed", n,
         [n](std::size_t row, std::vector<std::int32_t>& c) { c.push_back(static_cast<std::int32_t>(n - 1 - row)); }},
        {"one_column", n, [](std::size_t, std::vector<std::int32_t>& c) { c.push_back(7); }}};
    for (sparse_pattern& one : some) {
      one.name += n == 1400 ? "_small" : "_large";
      all.push_back(std::move(one));
    }
  }
  all.push_back(npb_matrix("npb_A", 1));
  all.push_back(npb_matrix("npb_B", 4));
  return all;
}

}  // namespace bench
