// For unit tests of tsubu/data: a program on each PE, over random interleavings, under each protocol.
#pragma once

#include "tests/job_of_all.hpp"
#include "tsubu/data/protocol.hpp"

namespace tsubu::data_test {

using test::dice;
using test::random_bits;

// One thread holds all PEs: plain variables are seen by all.
inline protocol how = protocol::global;

inline long add_and_get(long& value, long by) { return value += by; }

// Runs program(pe) on each PE, to its end.
inline void run_all(pe_id pes, std::uint64_t seed, task<void> (*program)(pe_id)) {
  test::run_all(pes, seed, program, ", " + std::string(name_of(how)));
}

// Under each protocol, on 1 to 5 PEs, and once on 70.
inline void run_many(task<void> (*program)(pe_id), std::uint64_t seeds = 20) {
  for (std::uint8_t p = 0; p < protocols; ++p) {
    how = protocol{p};
    test::run_many(program, seeds, ", " + std::string(name_of(how)));
  }
}

}  // namespace tsubu::data_test
