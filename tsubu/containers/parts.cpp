#include "tsubu/containers/parts.hpp"

namespace tsubu::containers {

void no_such_container(number which, std::size_t made) {
  if (which < made) fail("container " + std::to_string(which) + " of its type has ended, and is used");
  fail("container " + std::to_string(which) + " of its type is used, and this PE has made " + std::to_string(made) +
       ": every PE makes a container, in the same order");
}

}  // namespace tsubu::containers
