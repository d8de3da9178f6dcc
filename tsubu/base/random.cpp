#include "tsubu/base/random.hpp"

#include <optional>
#include <random>

namespace tsubu {
namespace {
constinit std::optional<random_source> of_simulated_job;
}

std::uint64_t fresh_seed() {
  if (of_simulated_job) return (*of_simulated_job)();
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

void let_seeds_follow_from(std::uint64_t seed) { of_simulated_job.emplace(seed); }

}  // namespace tsubu
