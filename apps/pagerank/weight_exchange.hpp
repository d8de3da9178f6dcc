// How the PEs tell each other, in each step, what their pages give to each page that they link to.
#pragma once

#include <memory>
#include <vector>

#include "apps/pagerank/links.hpp"
#include "tsubu/tsubu.hpp"

namespace pagerank {

class weight_exchange {
 public:
  virtual ~weight_exchange() = default;

  // The weights of this PE's pages in this step. Collective; and between give() and take(), and between take() and the
  // next give(), every PE comes to another collective at which all meet.
  virtual tsubu::task<void> give(std::vector<double> weights) = 0;

  // The weights that came from a PE, as its block of links counts them; for a block that has links. They stay until the
  // next give().
  virtual tsubu::task<const double*> take(tsubu::pe_id from) = 0;
};

// Each renumbers what the blocks of `of` count their weights by: from then on, the places in what comes. Collective.

// The weights of a PE are one element of a shared array, which it writes and the others read.
tsubu::task<std::unique_ptr<weight_exchange>> make_shared_exchange(links* of, tsubu::protocol how);

// By hand: each PE packs what another needs, and writes it into its memory.
tsubu::task<std::unique_ptr<weight_exchange>> make_message_exchange(links* of);

}  // namespace pagerank
