// The random numbers of the NAS Parallel Benchmarks: x' = a * x mod 2^46, and x' / 2^46 in (0, 1).
//
// Exact in 64-bit integers. The stream can be entered at any position in
// O(log position) steps, so that each PE makes its own part of a global sequence.
//
// Source: Bailey et al., The NAS Parallel Benchmarks, 1994, section 2.3; NPB 3.4 "randlc".
#pragma once

#include <cstdint>

namespace npb {

inline constexpr std::uint64_t random_mask = (std::uint64_t{1} << 46) - 1;
inline constexpr std::uint64_t random_multiplier = 1220703125;  // 5^13
inline constexpr std::uint64_t random_seed = 314159265;         // what CG and IS start from

// a * b mod 2^46. The low 46 bits of the 64-bit product are those of the 128-bit one: 46 <= 64, so the wrap is
// harmless.
constexpr std::uint64_t multiply_46(std::uint64_t a, std::uint64_t b) { return (a * b) & random_mask; }

// The state `seed` after `draws` more draws: seed * a^draws mod 2^46, by binary powering.
constexpr std::uint64_t skip(std::uint64_t seed, std::uint64_t draws) {
  for (std::uint64_t power = random_multiplier; draws != 0; draws >>= 1, power = multiply_46(power, power))
    if ((draws & 1) != 0) seed = multiply_46(seed, power);
  return seed;
}

class random_stream {
 public:
  explicit constexpr random_stream(std::uint64_t seed = random_seed) : state_(seed) {}

  // The stream as it is after `draws` draws from `seed`.
  static constexpr random_stream at(std::uint64_t draws, std::uint64_t seed = random_seed) {
    return random_stream(skip(seed, draws));
  }

  // Advances by one and returns the new state / 2^46.
  constexpr double next() {
    state_ = multiply_46(random_multiplier, state_);
    return static_cast<double>(state_) * 0x1p-46;
  }

  constexpr std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace npb
