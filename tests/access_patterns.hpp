// Patterns of access to an array of shared variables, each of which one protocol suits best: for the tests of what
// a profile advises, and for the benchmark of what adaptive variables choose.
//
// A round is done by all PEs, each its part; they meet behind it.
#pragma once

#include "tsubu/tsubu.hpp"

namespace access_patterns {

using namespace tsubu;

inline constexpr std::size_t variables = 24;  // of each PE

inline long add_and_get(long& value, long by) { return value += by; }

using data_array = shared_array<long, by_cycle>;

// The variables whose home is `pe`, one after the other.
inline std::size_t of_home(pe_id pe, std::size_t k) {
  return k * static_cast<std::size_t>(pe_count()) + static_cast<std::size_t>((pe + pe_count()) % pe_count());
}
inline std::size_t count(const data_array& x) { return x.size(); }

// All PEs read everything. It has been written before.
inline task<void> read_only(data_array x, int) {
  for (std::size_t i = 0; i < count(x); ++i) co_await x[(i + of_home(this_pe(), 0)) % count(x)].read();
}

// So it is, but that each is written once in so many rounds, by its home.
inline task<void> read_mostly(data_array x, int round) {
  constexpr std::size_t rounds_between = 8;
  for (std::size_t k = 0; k < variables; ++k) {
    if ((static_cast<std::size_t>(round) + k) % rounds_between == 0) co_await x[of_home(this_pe(), k)].write(round);
  }
  co_await barrier();
  co_await read_only(x, round);
}

// One PE after the other uses each of them for a while.
inline task<void> migratory(data_array x, int round) {
  for (std::size_t k = 0; k < variables; ++k) {
    for (int visit = 0; visit < 16; ++visit) co_await x[of_home(this_pe() + round, k)].change<add_and_get>(1);
  }
}

// The home writes, two neighbours read.
inline task<void> producer_consumer(data_array x, int round) {
  for (std::size_t k = 0; k < variables; ++k) co_await x[of_home(this_pe(), k)].write(round);
  co_await barrier();
  for (std::size_t k = 0; k < variables; ++k) {
    co_await x[of_home(this_pe() + 1, k)].read();
    co_await x[of_home(this_pe() - 1, k)].read();
  }
}

// All PEs change the same ones, in turn.
inline task<void> write_shared(data_array x, int round) {
  for (std::size_t k = 0; k < variables; ++k) {
    co_await x[(k + static_cast<std::size_t>(round)) % variables].change<add_and_get>(1);
    co_await barrier();
  }
}

// Each has one user, who is not its home.
inline task<void> private_elsewhere(data_array x, int) {
  for (std::size_t k = 0; k < variables; ++k) {
    for (int visit = 0; visit < 4; ++visit) co_await x[of_home(this_pe() + 1, k)].change<add_and_get>(1);
  }
}

// One PE after the other reads each of them for a while, and then writes it.
inline task<void> read_and_write(data_array x, int round) {
  for (std::size_t k = 0; k < variables; ++k) {
    const auto mine = x[of_home(this_pe() + round, k)];
    for (int visit = 0; visit < 16; ++visit) co_await mine.read();
    co_await mine.write(round);
  }
}

using round_of = task<void> (*)(data_array x, int round);

}  // namespace access_patterns
