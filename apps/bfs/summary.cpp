#include "apps/bfs/summary.hpp"

#include <algorithm>
#include <cmath>

namespace bfs {
namespace {

// Their mean, and the sum of the squared differences from it.
struct spread {
  double mean = 0;
  double squares = 0;
};

spread spread_of(const std::vector<double>& values) {
  spread s;
  for (const double v : values) s.mean += v / static_cast<double>(values.size());
  for (const double v : values) s.squares += (v - s.mean) * (v - s.mean);
  return s;
}

std::array<double, 5> quartiles_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::array<double, 5> quartiles;
  for (std::size_t q = 0; q < 5; ++q) {
    const double position = static_cast<double>(q) / 4 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, values.size() - 1);
    quartiles[q] = std::lerp(values[below], values[above], position - static_cast<double>(below));
  }
  return quartiles;
}

}  // namespace

summary summarise(std::vector<double> values) {
  const spread s = spread_of(values);
  const auto n = static_cast<double>(values.size());
  return {quartiles_of(values), s.mean, n > 1 ? std::sqrt(s.squares / (n - 1)) : 0};
}

summary summarise_rates(std::vector<double> rates) {
  std::vector<double> inverse;
  for (const double r : rates) inverse.push_back(1 / r);
  const spread s = spread_of(inverse);
  const auto n = static_cast<double>(rates.size());
  return {quartiles_of(rates), 1 / s.mean, n > 1 ? std::sqrt(s.squares) / (n - 1) / (s.mean * s.mean) : 0};
}

}  // namespace bfs
