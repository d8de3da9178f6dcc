#include "tsubu/base/random.hpp"

#include <random>

namespace tsubu {

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

}  // namespace tsubu
