// For unit tests: a program on each PE of an interleaved job, over random interleavings.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/interleaved_job.hpp"

namespace tsubu::test {

// One thread holds all PEs: plain variables are seen by all.
inline std::mt19937_64* random_bits = nullptr;
inline std::uint64_t dice() { return (*random_bits)(); }

inline task<void> to_the_end_of_all(task<void> work) {
  co_await std::move(work);
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

// Runs program(pe) on each PE, to its end. `also` is told of a failure, beside the seed.
inline void run_all(pe_id pes, std::uint64_t seed, task<void> (*program)(pe_id), const std::string& also = {}) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(pes) + " PEs" + also);
  interleaved_job job(pes, seed);
  random_bits = &job.random();
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    spawn(to_the_end_of_all(program(pe)));
  }
  ASSERT_TRUE(job.run());
}

// On 1 to 5 PEs, and once on 70.
inline void run_many(task<void> (*program)(pe_id), std::uint64_t seeds = 20, const std::string& also = {}) {
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    for (const pe_id pes : {1, 2, 3, 5, 70}) {
      if (pes < 70 || seed == 1) run_all(pes, seed, program, also);
    }
  }
}

}  // namespace tsubu::test
