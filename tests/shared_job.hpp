// For unit tests of this floor: a program on each PE, over random interleavings, under each protocol.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/interleaved_job.hpp"
#include "tsubu/data/protocol.hpp"

namespace tsubu::data_test {

// One thread holds all PEs: plain variables are seen by all.
inline protocol how = protocol::global;
inline std::mt19937_64* random_bits = nullptr;
inline std::uint64_t dice() { return (*random_bits)(); }

inline task<void> to_its_end(task<void> work) {
  co_await std::move(work);
  at(0).past([] { remote::current_pe->quiescence.program_ended(0); });
}

inline long add_and_get(long& value, long by) { return value += by; }

// Runs program(pe) on each PE, to its end.
inline void run_all(pe_id pes, std::uint64_t seed, task<void> (*program)(pe_id)) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(pes) + " PEs, " + std::string(name_of(how)));
  test::interleaved_job job(pes, seed);
  random_bits = &job.random();
  job[0].expect_programs(pes);
  for (pe_id pe = 0; pe < pes; ++pe) {
    job[pe];
    spawn(to_its_end(program(pe)));
  }
  ASSERT_TRUE(job.run());
}

// Under each protocol, on 1 to 5 PEs, and once on 70.
inline void run_many(task<void> (*program)(pe_id), std::uint64_t seeds = 20) {
  for (std::uint8_t p = 0; p < protocols; ++p) {
    how = protocol{p};
    for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
      for (const pe_id pes : {1, 2, 3, 5, 70}) {
        if (pes < 70 || seed == 1) run_all(pes, seed, program);
      }
    }
  }
}

}  // namespace tsubu::data_test
