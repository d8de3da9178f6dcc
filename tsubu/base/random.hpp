// Random numbers: the one place they come from, so that a simulator can own them and a test can repeat them.
#pragma once

#include <cstdint>

namespace tsubu {

// A seed that differs from run to run. Whoever uses one prints it. In a simulated job: one that follows from its seed.
// Local; does not block; throws std::runtime_error where the system has no random numbers.
std::uint64_t fresh_seed();

// From now on fresh_seed() gives what follows from `seed`. For the simulator, before its job begins.
void let_seeds_follow_from(std::uint64_t seed);

namespace detail {

// Each bit of the result depends on all of z: the last steps of splitmix64.
constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace detail

// splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): any seed will do,
// and equal seeds give equal numbers. Meets the standard's uniform_random_bit_generator.
// Local; does not block; throws nothing.
class random_source {
 public:
  using result_type = std::uint64_t;

  explicit constexpr random_source(std::uint64_t seed) : state_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  constexpr result_type operator()() { return detail::mix_bits(state_ += 0x9e3779b97f4a7c15); }

  // Uniform in 0 .. n - 1, but for a bias of n / 2^64; n > 0.
  constexpr std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>((*this)()) * n) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tsubu
