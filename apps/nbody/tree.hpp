// The tree of all bodies, made anew for each step.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/nbody/cell.hpp"
#include "apps/nbody/shares.hpp"

namespace nbody {

struct tree {
  tsubu::ref<cell> root;            // this PE's copy; or the one there is, if all bodies are on one PE
  std::vector<place> border_cells;  // that are this PE's, by key
  std::int64_t cells = 0;           // everywhere; of the top one copy counts
  std::int64_t cells_here = 0;      // below the border cells of this PE
  double mass = 0;                  // of all
};

// Inserts the bodies, which are this PE's share and sorted, by a message each; then the top is made, from what the PEs
// tell each other of their border cells. The tree is the same for every number of PEs, bit by bit. Collective.
tsubu::task<tree> build_tree(const std::vector<body>* bodies, const shares* divided);

// A stretch of a PE's bodies that are targets together: those of a cell.
struct group {
  std::size_t first = 0;
  std::size_t count = 0;
};

// The largest cells of this PE with at most `most` bodies, or the deepest ones. Local.
std::vector<group> find_groups(const std::vector<body>& bodies, const std::vector<place>& border_cells,
                               std::size_t most);

// Fills in `felt` of the bodies. Returns the interactions, as far as this PE's bodies are the targets. When all PEs
// have ended it, no message is in any tree. Collective.
tsubu::task<std::int64_t> find_forces(std::vector<body>* bodies, const std::vector<group>* groups,
                                      tsubu::ref<cell> root);

// Ends this PE's cells. Local, after find_forces().
void dissolve(const tree& made);

}  // namespace nbody
