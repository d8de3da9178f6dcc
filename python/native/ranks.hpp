// A job whose PEs are the ranks that mpirun has started: `mpirun -n 8 python program.py`.
//
// The first rank runs the program, and drives the job: its PE is a thread beside the interpreter, which sleeps between
// two commands. The others serve it from `import tsubu` on, and never return from there. Nobody but the first has
// Python's memory: it deals out what comes from there, and asks for what goes there (carry.hpp); what is between
// elements, each PE does at its own. Tsubu's job begins with the first of Python's and ends with the process, since MPI
// begins once in a process: jobs of Python's follow each other within it.
//
// What would end a process, a broken contract or a deadlock, ends all ranks, as it does for any program under mpirun.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "python/native/job.hpp"

namespace tsubu::python {

// How many ranks a launcher has started, and which of them this is; 1 and 0 without one.
int launched_ranks();
int launched_rank();

// From now on jobs are on the ranks. `words` are Tsubu's options, the same on all.
void use_ranks(std::vector<std::string> words);
// Whether they are, of this process: a child that it forks has no part in MPI.
bool ranks_are_used();
// By a rank that is not the first: serves until the first ends, and ends this process.
[[noreturn]] void serve_first_rank();
// By the first, when its program has ended: lets the others end, too. Once; in a child it does nothing.
void end_ranks();

// By a PE that has been asked to: runs the command there, beside the first rank's.
void run_beside_first(std::unique_ptr<command> what);

}  // namespace tsubu::python
