// Random numbers for a job: one seed, a stream of its own for each PE.
#pragma once

#include <cstdint>

#include "tsubu/base/random.hpp"
#include "tsubu/remote/pe.hpp"

namespace program {

// One step of splitmix64: a bijection of 64-bit numbers whose values look random.
constexpr std::uint64_t mixed(std::uint64_t x) { return tsubu::random_source(x)(); }

// The same stream in every run with that seed, job size and PE. Local.
inline tsubu::random_source random_stream(std::uint64_t seed, tsubu::pe_id pe) {
  return tsubu::random_source(mixed(mixed(seed) + static_cast<std::uint64_t>(pe)));
}

}  // namespace program
