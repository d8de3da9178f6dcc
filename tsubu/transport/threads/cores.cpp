#include "tsubu/transport/threads/cores.hpp"

#include <hwloc.h>
#include <sched.h>

namespace tsubu::transport {

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return CPU_COUNT(&set);
}

core_binding::core_binding(int pes) {
  if (pes < 2 || pes > usable_cores()) return;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0) return;
  // Cores are all that is asked for: to read of caches takes longer.
  hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(topology) == 0) {
    const int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    for (unsigned sibling = 0; static_cast<int>(core_of_.size()) < pes; ++sibling) {
      const std::size_t before = core_of_.size();
      bool any = false;
      for (int c = 0; c < cores && static_cast<int>(core_of_.size()) < pes; ++c) {
        hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(c));
        hwloc_obj_t unit = hwloc_get_obj_inside_cpuset_by_type(topology, core->cpuset, HWLOC_OBJ_PU, sibling);
        any = any || unit != nullptr;
        if (unit != nullptr && CPU_ISSET(unit->os_index, &allowed))
          core_of_.push_back(static_cast<int>(unit->os_index));
      }
      if (!any && core_of_.size() == before) break;
    }
  }
  hwloc_topology_destroy(topology);
  if (static_cast<int>(core_of_.size()) < pes) core_of_.clear();
}

affinity_kept::affinity_kept() : known_(sched_getaffinity(0, sizeof before_, &before_) == 0) {}

affinity_kept::~affinity_kept() {
  if (known_) sched_setaffinity(0, sizeof before_, &before_);
}

void core_binding::bind_this_thread(pe_id pe) const {
  if (core_of_.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core_of_[static_cast<std::size_t>(pe)], &set);
  sched_setaffinity(0, sizeof set, &set);  // best effort: an unbound PE is slower, not wrong
}

}  // namespace tsubu::transport
