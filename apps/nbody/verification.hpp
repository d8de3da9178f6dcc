// Whether forces and motion are right: by direct sums, and by what must not change.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "apps/nbody/body.hpp"
#include "tsubu/tsubu.hpp"

namespace nbody {

// The root mean square of the errors of the accelerations, in ratio to that of the accelerations themselves: of at most
// `sample` bodies, evenly spread over the numbers below `total`, against the sum over all bodies. Collective; the same
// on every PE.
tsubu::task<double> force_error(const std::vector<body>* bodies, std::int64_t total, std::int64_t sample,
                                double softening);

// The error of forces that is taken for right. It grows with the square of theta, and is larger where few bodies make
// up a cell and few cells a sum: with theta = 0.5 it is about 0.0007 for 100,000 bodies and 0.009 for 500 on 80 PEs.
inline double accepted_error(double theta, std::int64_t bodies) {
  return theta * theta * (0.02 + 1 / std::sqrt(static_cast<double>(bodies)));
}

// Kinetic and potential. Collective; the same on every PE.
tsubu::task<double> total_energy(const std::vector<body>* bodies);

// What may be won or lost of the energy.
inline constexpr double accepted_drift = 0.01;

}  // namespace nbody
