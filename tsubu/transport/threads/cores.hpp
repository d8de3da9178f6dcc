// Which cores there are, and which a PE's thread runs on.
#pragma once

#include <sched.h>

#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::transport {

// Cores this process may use: its affinity mask, at least 1.
int usable_cores();

// Chooses a core for each of `pes` PEs: physical cores first, then their further hardware threads.
// Binds nothing when there are more PEs than usable cores, or when `pes` < 2.
class core_binding {
 public:
  explicit core_binding(int pes);
  void bind_this_thread(pe_id pe) const;

 private:
  std::vector<int> core_of_;  // operating-system number of each PE's core; empty: unbound
};

// Gives this thread back, when this value goes away, the cores that it may run on now.
class affinity_kept {
 public:
  affinity_kept();
  ~affinity_kept();
  affinity_kept(const affinity_kept&) = delete;
  affinity_kept& operator=(const affinity_kept&) = delete;

 private:
  cpu_set_t before_{};
  bool known_;
};

}  // namespace tsubu::transport
