// Promise: the lists name exactly the remote elements that the rows refer to; the counts are those of the EM-X paper's
// matrices. Method: a brute-force set; the acceptance rows X21 and X22.
#include "apps/npb/exchange_counts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "apps/npb/blocks.hpp"
#include "apps/npb/cg.hpp"

namespace {

constexpr std::array<std::int64_t, 6> pes{2, 4, 8, 16, 32, 64};

TEST(exchange_counts, class_s_moves_what_the_paper_implies) {
  const npb::csr a = npb::make_matrix(npb::cg_class_named("S"));
  constexpr std::array<std::int64_t, 6> updates{1400, 4199, 9755, 19979, 34912, 50358};
  constexpr std::array<std::int64_t, 6> reads{38514, 57714, 67330, 72062, 74472, 75686};
  for (std::size_t i = 0; i < pes.size(); ++i) {
    const npb::exchange_totals totals = npb::count_exchange(a, pes[i]);
    EXPECT_EQ(totals.block_words, 1400 * (pes[i] - 1));
    EXPECT_EQ(totals.update_words, updates[i]) << pes[i];
    EXPECT_EQ(totals.remote_reads, reads[i]) << pes[i];
  }
  EXPECT_EQ(npb::count_exchange(a, 1).update_words, 0);
}

TEST(exchange_counts, thinned_matrix_moves_less) {
  const npb::csr b = npb::thin(npb::make_matrix(npb::cg_class_named("S")), 4);
  constexpr std::array<double, 6> ratio{.996, .948, .801, .567, .347, .193};
  for (std::size_t i = 0; i < pes.size(); ++i) {
    const npb::exchange_totals totals = npb::count_exchange(b, pes[i]);
    EXPECT_NEAR(static_cast<double>(totals.update_words) / static_cast<double>(totals.block_words), ratio[i], 0.0005);
  }
}

TEST(exchange_counts, lists_name_exactly_what_is_referenced) {
  const npb::csr a = npb::thin(npb::make_matrix(npb::cg_class_named("S")), 16);
  for (const std::int64_t p : {1, 3, 7}) {
    for (std::int64_t me = 0; me < p; ++me) {
      const npb::csr part = npb::rows_of(a, npb::block_first(1400, p, me), npb::block_first(1400, p, me + 1));
      const auto needed = npb::needed_elements(part, 1400, p, me);
      ASSERT_EQ(needed.size(), static_cast<std::size_t>(p));
      const std::set<std::int32_t> referenced(part.column.begin(), part.column.end());
      for (std::int64_t owner = 0; owner < p; ++owner) {
        std::vector<std::int32_t> expected;
        for (const std::int32_t column : referenced)
          if (owner != me && npb::block_owner(1400, p, column) == owner) expected.push_back(column);
        EXPECT_EQ(needed[static_cast<std::size_t>(owner)], expected) << p << ' ' << me << ' ' << owner;
      }
    }
  }
}

}  // namespace
