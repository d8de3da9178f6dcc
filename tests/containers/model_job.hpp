// For tests of containers beside a model: a program on all PEs of an interleaved job, once for each of many seeds, and
// how many verbs it has used. All PEs are in one thread, so the model is a plain variable.
//
// OBJECT_TEST_SEED begins elsewhere, OBJECT_TEST_SEEDS says how many. tests/mutants/check asks for "fails with seed".
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"

namespace tsubu::test {

inline std::int64_t verbs_used = 0;

inline std::uint64_t number_or(const char* variable, std::uint64_t otherwise) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

inline std::size_t below(std::size_t bound) { return static_cast<std::size_t>(dice() % bound); }

// programs[seed % n], on 1 to 5 PEs, after begin(pes).
inline void play_beside_model(std::vector<task<void> (*)(pe_id)> programs, void (*begin)(pe_id), std::uint64_t seeds) {
  const std::uint64_t first = number_or("OBJECT_TEST_SEED", 1);
  const std::uint64_t end = first + number_or("OBJECT_TEST_SEEDS", seeds);
  std::printf("seeds from %llu\n", static_cast<unsigned long long>(first));
  verbs_used = 0;
  for (std::uint64_t seed = first; seed < end; ++seed) {
    const auto pes = static_cast<pe_id>(1 + seed / programs.size() % 5);
    begin(pes);
    run_all(pes, seed, programs[seed % programs.size()]);
    if (testing::Test::HasFailure()) {
      std::printf("fails with seed %llu\n", static_cast<unsigned long long>(seed));
      return;
    }
  }
  std::printf("%lld verbs\n", static_cast<long long>(verbs_used));
}

}  // namespace tsubu::test
