// Promise: in the rounds of an exchange each part reaches its place, once, whatever the size of the ring and the radix,
// in the number of messages that is said; a radix of the ring's size sends each part straight, and the best one is
// never expected to take longer than that.
#include "tsubu/remote/collectives/ring_rounds.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tsubu::remote {
namespace {

// Where the parts are: of each place, by distance. A part is (from, to).
using part = std::pair<pe_id, pe_id>;

void exchange_all(pe_id size, pe_id radix) {
  SCOPED_TRACE("a ring of " + std::to_string(size) + ", radix " + std::to_string(radix));
  const exchange_rounds rounds(size, radix);
  const auto n = static_cast<std::size_t>(size);
  std::vector<std::vector<part>> held(n, std::vector<part>(n));
  for (pe_id from = 0; from < size; ++from) {
    for (pe_id d = 0; d < size; ++d)
      held[static_cast<std::size_t>(from)][static_cast<std::size_t>(d)] = {from, (from + d) % size};
  }
  for (int round = 0; round < rounds.rounds(); ++round) {
    auto next = held;
    pe_id hop_before = 0;
    for (pe_id message = 1; message <= rounds.messages(round); ++message) {
      const pe_id hop = rounds.hop(round, message);
      EXPECT_LT(hop_before, hop);
      EXPECT_LT(hop, size);
      hop_before = hop;
      pe_id last = 0;
      rounds.for_each_distance(round, hop, [&](pe_id d) {
        EXPECT_LT(last, d);
        last = d;
        for (pe_id from = 0; from < size; ++from) {
          next[static_cast<std::size_t>((from + hop) % size)][static_cast<std::size_t>(d)] =
              held[static_cast<std::size_t>(from)][static_cast<std::size_t>(d)];
        }
      });
      EXPECT_GT(last, 0) << "a message without parts";
    }
    held = std::move(next);
  }
  for (pe_id at = 0; at < size; ++at) {
    for (pe_id d = 0; d < size; ++d) {
      EXPECT_EQ(held[static_cast<std::size_t>(at)][static_cast<std::size_t>(d)], part((at + size - d) % size, at));
    }
  }
}

TEST(ring_rounds, bring_each_part_to_its_place) {
  for (pe_id size = 1; size <= 70; ++size) {
    for (const pe_id radix : {2, 3, 4, 8, 64}) exchange_all(size, radix);
    if (size > 1) exchange_all(size, size);
  }
  constexpr unsigned seed = 20;
  std::mt19937 random(seed);
  for (int i = 0; i < 5; ++i) {
    const auto size = static_cast<pe_id>(71 + random() % 400), radix = static_cast<pe_id>(2 + random() % 30);
    exchange_all(size, radix);
  }
}

TEST(ring_rounds, send_straight_with_a_radix_of_the_size) {
  const exchange_rounds rounds(37, 37);
  EXPECT_EQ(rounds.rounds(), 1);
  EXPECT_EQ(rounds.messages(0), 36);
}

TEST(ring_rounds, ride_together_where_parts_are_short) {
  EXPECT_LE(best_radix(64, 4, costs_within_row), 4);
  EXPECT_EQ(best_radix(64, 100'000, costs_within_row), 64);
  EXPECT_EQ(best_radix(16, 256, costs_across_rows), 16) << "a cable is not to be crossed twice";
  for (const pe_id size : {1, 2, 3, 7, 64, 100}) {
    for (const std::size_t bytes : {1U, 100U, 10'000U}) {
      const pe_id radix = best_radix(size, bytes, costs_within_row);
      EXPECT_LE(expected_us({size, radix}, bytes, costs_within_row),
                expected_us({size, std::max(size, pe_id{2})}, bytes, costs_within_row));
    }
  }
}

}  // namespace
}  // namespace tsubu::remote
