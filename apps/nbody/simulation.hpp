// Bodies that move under their gravity: steps of a tree, forces and motion.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/nbody/body.hpp"
#include "apps/nbody/cell.hpp"
#include "apps/nbody/distribution.hpp"
#include "tsubu/tsubu.hpp"

namespace nbody {

// Bodies that walk the tree together, at most. With few bodies on a PE there are fewer in a cell and in a group.
inline constexpr std::int64_t largest_group = 48;
inline constexpr std::int64_t largest_leaf = 12;

// What one step costs on this PE; or the largest or the sum of all PEs.
struct cost {
  double share_seconds = 0;  // sending bodies to their PEs
  double tree_seconds = 0;
  double force_seconds = 0;
  std::int64_t interactions = 0;
};

class simulation {
 public:
  // Makes this PE's part of the bodies, brings them to their PEs and finds the forces. Collective.
  tsubu::task<void> begin(distribution kind, std::int64_t bodies, std::uint64_t seed, double theta, double softening);
  // Leapfrog: half a kick, a drift, new forces, half a kick. Collective.
  tsubu::task<void> step(double dt);

  // This PE's.
  const std::vector<body>& bodies() const { return bodies_; }
  std::int64_t cells_here() const { return cells_here_; }
  // The same on every PE.
  std::int64_t cells() const { return cells_; }
  double tree_mass() const { return tree_mass_; }
  // What all steps have cost; begin() is not counted.
  const cost& spent() const { return spent_; }

 private:
  tsubu::task<cost> find_felt();
  void kick(double dt);
  void drift(double dt);

  std::vector<body> bodies_;
  std::size_t group_bodies_ = 1;
  std::int64_t cells_ = 0, cells_here_ = 0;
  double tree_mass_ = 0;
  cost spent_;
};

}  // namespace nbody
