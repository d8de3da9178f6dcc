// The cells of the octree as concurrent objects.
//
// Below its *border cells* a PE has the tree of its own bodies; above them every PE has a copy of the top, whose leaves
// are the border cells of all PEs. No cell ever waits for forces: one that is asked for what it does to some targets
// opens a *walk*, a list of attractors on its PE that grows as the walk visits cells, and that answers when the last of
// them has been visited. Cells on the same PE are visited by messages, which run on the sender's stack. A cell of
// another PE is not visited but named in the answer: who asks sends the targets there, once for all such cells of a PE.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/nbody/gravity.hpp"
#include "apps/nbody/octree.hpp"
#include "tsubu/tsubu.hpp"

namespace nbody {

struct cell;

// What all cells of a job agree on.
struct rules {
  double theta = 0.5;
  double softening = 1e-3;
  std::size_t leaf_bodies = 12;  // a cell with more is divided
};

// The rules of this PE. Set before cells are made.
rules& rules_here();

// What a cell keeps of a body.
struct particle {
  point position;
  double mass = 0;
  body_key key = 0;
};

// A cell as it looks from far away.
struct summary {
  double mass = 0;
  point centre;            // of mass
  std::int64_t cells = 0;  // in the tree below it, itself included
};

// The octants of a cell as they look from far away; one without bodies has no mass.
struct octants {
  double size = 0;  // of each
  eight x{}, y{}, z{}, mass{};
  std::array<tsubu::ref<cell>, 8> cells;  // those of octants with more than a few bodies

  void set(int octant, const summary& of);
  summary sum() const;
};

struct answer {
  std::vector<pull> felt;  // by each target
  std::int64_t interactions = 0;
  std::vector<tsubu::ref<cell>> elsewhere;  // cells that these targets have to be sent to, sorted by PE

  template <class Archive>
  void serialize(Archive& a) {
    a(felt, interactions, elsewhere);
  }
};

using walk_number = std::uint32_t;

// Has up to rules::leaf_bodies bodies itself; if there are more, as many in each octant. An octant with more yet is a
// cell of its own.
struct cell : tsubu::object<cell> {
  cell(int level, double size);
  explicit cell(octants copied);  // a cell of the top

  void insert(particle p);
  tsubu::task<summary> summarise();
  // What this cell and the others, on the same PE, do to the targets: together at most the whole tree, none twice.
  void attract(tsubu::reply_to<answer> to, std::vector<point> targets, std::vector<tsubu::ref<cell>> others);
  // Adds to the walk what this cell means to it when it is opened.
  void visit(walk_number number);
  // Ends this cell and those below it on this PE.
  void dissolve();

 private:
  std::span<const particle> bodies_of(std::size_t octant) const;
  // Makes a cell of an octant.
  void divide(std::size_t octant);

  int level_ = 0;
  bool divided_ = false;  // else all bodies are in octant 0
  octants octants_;
  std::vector<particle> bodies_;           // by octant, as they came
  std::array<std::uint32_t, 8> counts_{};  // of them
};

}  // namespace nbody
