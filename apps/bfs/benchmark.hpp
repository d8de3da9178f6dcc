// The whole benchmark: both kernels, timed, and the validation of every search.
#pragma once

#include <string>

#include "apps/bfs/search.hpp"
#include "tsubu/task/task.hpp"

namespace bfs {

struct options {
  int scale = 14;
  int edgefactor = 16;
  std::string file;  // if not empty, the graph is read from there
  std::uint32_t roots = 64;
  std::uint64_t seed = 1;
  direction way = direction::either;
  bool json = false;
};

// Prints the result on PE 0, and returns the exit code. Collective.
tsubu::task<int> run_benchmark(options asked);

}  // namespace bfs
