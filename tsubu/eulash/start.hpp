// Starts the job of a placed program.
#pragma once

namespace tsubu::placed {

// Runs main as the first thread of process 0, with the arguments that are not Tsubu's own. Returns the job's exit code.
// Local; blocks the process until the job has ended; ends it for a wrong option.
int start(int argc, char** argv, int (*main)(int, char**));

}  // namespace tsubu::placed
