// What a simulated job is asked for, beside its machine.
#pragma once

#include <cstdint>
#include <string>

#include "tsubu/base/types.hpp"
#include "tsubu/sim/prediction.hpp"

namespace tsubu::sim {

// Who says how long it takes a PE to compute.
enum class work_time {
  annotated,  // the program says it with work(), and the machine what the runtime's own events take
  measured,   // this computer's clock, scaled; the machine says only what batches and messages take
};

struct engine_settings {
  std::uint64_t seed = 0;     // of a schedule; 0: nothing is varied
  std::int64_t limit_ps = 0;  // the job ends with an error beyond it; 0: none
  work_time work = work_time::annotated;
  double work_scale = 1;                             // measured: the simulated machine takes so many times as long
  predicted what_is_predicted = predicted::nothing;  // on a machine that can
  pe_id fault_pe = no_pe;                            // that PE dies, at fault_ps
  std::int64_t fault_ps = 0;
  std::string trace;   // the file for it; empty: none
  bool force = false;  // which may replace one that is no trace
  // What the runtime says to itself takes a while, and nobody's time: to compare with models that have no runtime.
  bool control_is_free = false;
};

}  // namespace tsubu::sim
