// Promises: what is known of a PE stays while batches are on the way there; a table of few such PEs stays small,
// however many others there were.
#include "tsubu/sim/in_flight_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tsubu/base/random.hpp"

namespace tsubu::sim {
namespace {

TEST(in_flight_table, keeps_what_is_on_the_way) {
  const std::uint64_t seed = fresh_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  in_flight_table table;
  std::map<pe_id, in_flight_table::peer> expected;  // of those with batches on the way
  for (int i = 0; i < 100'000; ++i) {
    const auto to = static_cast<pe_id>(random() % 500 * (i % 3 == 0 ? 4096 : 1));
    const auto known = expected.find(to);
    if (known != expected.end()) {
      const in_flight_table::peer* const found = table.find(to);
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->to, to);
      EXPECT_EQ(found->on_the_way, known->second.on_the_way);
      EXPECT_EQ(found->last_arrival_ps, known->second.last_arrival_ps);
      EXPECT_EQ(found->last_free_ps, known->second.last_free_ps);
    }
    if (random() % 4 != 0) {
      if (known != expected.end()) {
        --table.use(to).on_the_way;
        if (--known->second.on_the_way == 0) expected.erase(known);
      }
    } else {
      in_flight_table::peer& w = table.use(to);
      if (known == expected.end()) {
        EXPECT_EQ(w.on_the_way, 0);
      }
      ++w.on_the_way;
      (i % 2 == 0 ? w.last_arrival_ps : w.last_free_ps) = i;
      expected[to] = w;
    }
  }
}

TEST(in_flight_table, forgets_who_has_taken_all) {
  in_flight_table table;
  EXPECT_EQ(table.find(3), nullptr);
  for (pe_id to = 0; to < 10'000; ++to) {
    ++table.use(to).on_the_way;
    if (to >= 2) --table.use(to - 2).on_the_way;
  }
  EXPECT_EQ(table.places(), 8U);
  EXPECT_EQ(table.find(9'999)->on_the_way, 1);
  EXPECT_EQ(table.find(0), nullptr);
}

}  // namespace
}  // namespace tsubu::sim
