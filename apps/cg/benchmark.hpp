// NPB CG: the smallest eigenvalue of a random matrix, by inverse iteration.
#pragma once

#include "apps/cg/options.hpp"
#include "tsubu/task/task.hpp"

namespace cg {

// Runs the class, prints the result on PE 0, and returns the exit code. Collective.
tsubu::task<int> run_benchmark(options asked);

}  // namespace cg
