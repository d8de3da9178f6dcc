// The gas: a stream with a Maxwellian spread of velocities, rarefied, and much faster than sound.
#pragma once

#include <cstdint>

#include "apps/mp3d/molecule.hpp"

namespace mp3d {

inline constexpr double stream_speed = 0.5;  // in x, in cells per step
// The standard deviation of each component of the velocity. The speed of sound is sqrt(5/3) of it: Mach 6.
inline constexpr double thermal_speed = 0.065;
inline constexpr double mean_free_path = 1.5;  // cells, in the undisturbed stream

// What all PEs know of it.
struct gas {
  std::int64_t molecules = 0;
  std::uint64_t seed = 0;
  double cross_section = 0;  // of two molecules, in square cells

  gas(std::int64_t how_many, std::uint64_t with_seed);

  // In the undisturbed stream, which fills box and reservoir before the first step.
  molecule at_beginning(std::int64_t number) const;
  // In the reservoir, for a molecule that has left in that step.
  molecule in_reservoir(std::int64_t number, std::int64_t step) const;
};

}  // namespace mp3d
