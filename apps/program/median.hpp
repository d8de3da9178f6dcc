// What several runs of one measurement come to.
#pragma once

#include <algorithm>
#include <vector>

namespace program {

// The middle one; of an even number the mean of the two in the middle. There is one at least.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace program
