// PEs stay until their job has ended: one that leaves by exit() or quick_exit() takes the job along, with a code that
// is not 0, so that half a run is never taken for a whole one.
//
// _exit() cannot be seen from inside. On threads it ends the process with the code that it is given, and nobody is left
// to complain; docs/run.md says so.
#pragma once

namespace tsubu::run_detail {

// While one lives, a PE of this process has work to do.
class presence {
 public:
  presence();
  presence(const presence&) = delete;
  presence& operator=(const presence&) = delete;
  ~presence();
};

// The job is being ended already: exit() is part of that.
void expect_exit();

}  // namespace tsubu::run_detail
