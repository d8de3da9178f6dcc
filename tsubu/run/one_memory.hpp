// Whether the PEs of a job can use one memory as the threads of a program do.
#pragma once

namespace tsubu::run_detail {

// They are threads of one process, none is simulated, and the job's settings let them. Local; the same on all PEs of
// the job, and false where run() has not started it.
bool uses_one_memory();
// At the start of a PE, which is entered: what its job's settings say.
void let_use_one_memory(bool let);

}  // namespace tsubu::run_detail
