// What Graph500 reports of a list of measurements.
//
// Source: graph500.org, specification 2.0, "Output".
#pragma once

#include <array>
#include <vector>

namespace bfs {

struct summary {
  std::array<double, 5> quartiles;  // minimum, first quartile, median, third quartile, maximum
  double mean;
  double deviation;
};

// Needs at least one value. Between two values a quartile is interpolated. With one value the deviation is 0.
summary summarise(std::vector<double> values);

// The same with the harmonic mean, which rates need, and the deviation of that mean.
summary summarise_rates(std::vector<double> rates);

}  // namespace bfs
