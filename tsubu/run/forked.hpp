// A child that a PE forks in the middle of a job is a copy of one thread of it, and no part of the job: it may compute,
// print, become another program, and leave. Whatever it does as if it were the PE - answer, send, go on with what the
// PE was about, end the job - ends the child, with a line, and nothing but the child.
#pragma once

namespace tsubu::run_detail {

// From now on, in children of this process. The first call counts.
void watch_forks();

// Whether this process is such a child. May be called in a signal handler.
bool is_forked_child();

}  // namespace tsubu::run_detail
