// What CG's and IS's loops take on a node of the Presto cluster (Pentium II of 350 MHz, 512 KB of cache, 440BX with
// SDRAM), in its clocks: for simulated jobs. The loops themselves are counted, not the libraries.
//
// From memory: assumed are 250 MB/s from SDRAM, 17 clocks for 12 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "apps/npb/cg.hpp"
#include "apps/npb/is.hpp"
#include "tsubu/base/clock.hpp"

namespace presto {

// The clocks of a product, and of the vector operations with it (3 % of the step). The matrix streams by, 12 bytes a
// nonzero. Up to class A, whose vector of 112 KB stays in the cache, the element comes from there, in 8 clocks:
// assumed. Class B's has 600 KB and does not stay; fitted so that C++/MPICH-PM takes the 175 s of table 4 (43 clocks
// more, most of a miss).
inline double clocks_of_nonzero(const npb::cg_class& of) { return of.na <= 64 * 1024 ? 25 : 67; }

inline void product(const npb::cg_class& of, const npb::csr& rows) {
  tsubu::work(clocks_of_nonzero(of) * static_cast<double>(rows.nonzeros()));
}

// Assumed, for a key of 4 bytes. Counted: it streams by, and its bucket's counter is in the first cache. Ordered: read,
// and written to one of 1,024 places, more than there are lines of the first cache and pages of the TLB. Ranked: it
// streams by, mostly beside its like.
inline constexpr double clocks_of_counted_key = 11;
inline constexpr double clocks_of_ordered_key = 50;
inline constexpr double clocks_of_ranked_key = 10;

inline void count_and_order(std::size_t keys) {
  tsubu::work((clocks_of_counted_key + clocks_of_ordered_key) * static_cast<double>(keys));
}
inline void rank(std::int64_t keys) { tsubu::work(clocks_of_ranked_key * static_cast<double>(keys)); }

}  // namespace presto
