// Softened gravity, G = 1, and when a cell is far enough away to count as one body.
//
// The pull of a mass m at the distance vector d is m d / (|d|^2 + softening^2)^(3/2) (Aarseth, 1963).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "apps/nbody/body.hpp"

namespace nbody {

// Barnes and Hut's criterion: a cell whose size / distance < theta is taken as one body at its centre of mass.
inline bool far_enough(double size, double distance_squared, double theta) {
  return size * size < theta * theta * distance_squared;
}

using eight = std::array<double, 8>;

// The smallest box with some points in it.
struct box {
  point low, high;

  // At least one point.
  explicit box(std::span<const point> of);
  box() = default;

  // Squared, from the nearest point of the box to each of eight; 0 inside.
  eight distances_squared(const eight& x, const eight& y, const eight& z) const;
};

// What attracts: bodies, and cells that count as one. A column for each coordinate, so that loops over them vectorise.
class attractors {
 public:
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }

  // Makes room for `more`, which may then be put without a check.
  void reserve_more(std::size_t more) {
    if (size_ + more > x_.size()) [[unlikely]]
      grow(size_ + more);
  }
  // `counts` is 1, or 0 for one that shall be overwritten by the next.
  void put(double x, double y, double z, double mass, std::size_t counts = 1) {
    x_[size_] = x;
    y_[size_] = y;
    z_[size_] = z;
    mass_[size_] = mass;
    size_ += counts;
  }

  const double* x() const { return x_.data(); }
  const double* y() const { return y_.data(); }
  const double* z() const { return z_.data(); }
  const double* mass() const { return mass_.data(); }

 private:
  void grow(std::size_t least);

  std::vector<double> x_, y_, z_, mass_;
  std::size_t size_ = 0;
};

// Adds to felt[i] what all of `by` do to targets[i]. One at the very place of a target adds to its potential only.
void attract(std::span<const point> targets, const attractors& by, double softening, std::span<pull> felt);

}  // namespace nbody
