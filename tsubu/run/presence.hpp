// PEs stay until their job has ended: one that leaves by exit() or quick_exit() takes the job along, with a code that
// is not 0, so that half a run is never taken for a whole one.
//
// _exit() cannot be seen from inside. On threads it ends the process with the code that it is given, and nobody is left
// to complain; docs/run.md says so.
#pragma once

#include "tsubu/base/types.hpp"

namespace tsubu::run_detail {

// While one lives, a PE of this process, on this thread, has work to do. no_pe: several that take turns.
class presence {
 public:
  explicit presence(pe_id pe);
  presence(const presence&) = delete;
  presence& operator=(const presence&) = delete;
  ~presence();
};

// The PE of this thread, also before it has been made and while what it has made is destroyed; no_pe: none. May be
// called in a signal handler.
pe_id own_pe();

// This thread is ending the job: what other threads do to end it comes too late.
void expect_exit();

}  // namespace tsubu::run_detail
