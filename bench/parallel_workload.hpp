// The work of the loops and trees that ours and oneTBB's share: small and irregular, so that the figures are what
// sharing it costs.
#pragma once

#include <cstdint>

namespace bench {

// Index n of the loop: how many steps it takes to 1, where an even number is halved, and an odd one tripled and
// incremented (Collatz). 130 on average below a million, and up to 524.
inline std::int64_t steps_to_one(std::int64_t n) {
  std::int64_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

// A node of the tree has two children less deep, down to 0, and nothing to do.
struct tree_node {
  int depth;
};
constexpr std::int64_t nodes_of_tree(int depth) { return (std::int64_t{2} << depth) - 1; }

struct parallel_options {
  std::int64_t indices = 1'000'000;  // of the loop
  std::int64_t grain = 100;
  std::int64_t depth = 20;  // of the tree
  std::int64_t repetitions = 5;
  std::int64_t threads = 1;  // of a peer
};

}  // namespace bench
