// For unit tests of containers: a program on each PE, over random interleavings.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/interleaved_job.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers_test {

// One thread holds all PEs: plain variables are seen by all.
inline std::mt19937_64* random_bits = nullptr;
inline std::uint64_t dice() { return (*random_bits)(); }

inline task<void> to_its_end(task<void> work) {
  co_await std::move(work);
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

// Runs program(pe) on each PE, to its end.
inline void run_all(pe_id pes, std::uint64_t seed, task<void> (*program)(pe_id)) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(pes) + " PEs");
  test::interleaved_job job(pes, seed);
  random_bits = &job.random();
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    spawn(to_its_end(program(pe)));
  }
  ASSERT_TRUE(job.run());
}

// On 1 to 5 PEs, and once on 70.
inline void run_many(task<void> (*program)(pe_id), std::uint64_t seeds = 20) {
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 3, 5, 70}) {
      if (pes < 70 || seed == 1) run_all(pes, seed, program);
    }
  }
}

}  // namespace tsubu::containers_test
