// A x = b for a matrix from a file, with b = A (1, ..., 1), so that the solution is known.
#pragma once

#include "apps/cg/options.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

// Solves, prints the result on PE 0, and returns the exit code: 2 if the file is no such matrix. Collective; only PE 0
// reads the file, and holds the whole matrix until each PE has its rows.
tsubu::task<int> solve_file(options asked);

}  // namespace cg
