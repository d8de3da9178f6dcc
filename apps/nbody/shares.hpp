// Which PE has which bodies: stretches of the octree's order, of nearly the same number of bodies each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "apps/nbody/octree.hpp"
#include "tsubu/tsubu.hpp"

namespace nbody {

// PE p has the bodies with keys in [first[p], first[p + 1]). Borders lie on the edges of cells.
struct shares {
  cube all;
  std::vector<body_key> first;

  tsubu::pe_id owner(body_key key) const {
    return static_cast<tsubu::pe_id>(std::upper_bound(first.begin() + 1, first.end() - 1, key) - first.begin() - 1);
  }
};

// The first keys of the shares. A cell that a border divides has more than `indivisible` bodies, or it is the cube of
// all; so smaller cells belong to one PE each. `sorted`, this PE's bodies, need not be those that will be its own.
// There is at least one body. Collective; the same on every PE.
tsubu::task<std::vector<body_key>> find_borders(const std::vector<body>* sorted, std::int64_t indivisible);

// By key, and bodies of one key by their numbers.
void sort_bodies(std::vector<body>& bodies);

// Gives the bodies keys in the smallest cube around all, finds the borders, sends each body that is not on its owner to
// it, and sorts what each PE has then. Collective.
tsubu::task<shares> share_out(std::vector<body>* bodies, std::int64_t indivisible);

}  // namespace nbody
