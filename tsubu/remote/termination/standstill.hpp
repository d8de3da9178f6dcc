// What follows where nothing is left to run and a program waits for ever: the processes of the job end, and say why.
// Inside another's program the job ends alone. What waits is never resumed then, nor destroyed.
#pragma once

namespace tsubu::remote {

// Set between jobs.
inline constinit bool standstill_ends_job_only = false;

// Whether the PE of this thread has reported what waits there.
inline constinit thread_local bool stands_still = false;

}  // namespace tsubu::remote
