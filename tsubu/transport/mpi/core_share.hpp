// Which of a node's cores the PEs of this rank are bound to.
#pragma once

namespace tsubu::transport::mpi {

// The PEs of this rank are numbers first, first + 1, ... of `pes` that share the cores this rank may use.
struct core_share {
  int first = 0;
  int pes = 0;  // 0: bind none
};

// Ranks that may use the same cores divide them; a rank with cores of its own divides these among its PEs. Where
// the ranks' cores overlap otherwise, none is bound. Says so if the launcher gave the rank too few. Collective.
core_share share_of_cores(int pes_per_rank);

}  // namespace tsubu::transport::mpi
