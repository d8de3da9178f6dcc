// What each node has executed, as a table for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abcl/machine/processor.hpp"

namespace abcl::machine {

struct node_counts {
  counts done;
  std::uint64_t objects = 0;
};

// A line for each node, and for more than one their sum.
std::string shown(const std::vector<node_counts>& nodes);

}  // namespace abcl::machine
