// Where threads run, by what an earlier run has recorded that they share.
#pragma once

#include <cstdint>
#include <vector>

namespace eulash {

// Two threads, by the order in which they are created, main being the first; and how often both use the same data.
struct shared_use {
  std::size_t one, other;
  double accesses;
};

struct thread_places {
  std::vector<int> process_of;   // each thread
  double in_turn = 0, here = 0;  // shared uses between processes, with threads in turn and as they are here
};

// So many threads, main in process 0 and as many in each as in turn: from there, those two threads change places that
// make it less by most, as long as any do (after Kernighan and Lin, 1970).
thread_places place_threads(std::size_t threads, int processes, const std::vector<shared_use>& shared);

}  // namespace eulash
