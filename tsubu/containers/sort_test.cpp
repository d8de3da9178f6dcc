// Promise: what all PEs give is in order over them afterwards, in equal shares, each element once; equal ones keep
// their order where that was asked for. Method: uneven vectors with few and with many values, beside std::stable_sort
// of all, over random interleavings of 1 to 5 PEs and on 70.
#include "tsubu/containers/sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/bag.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

void expect_even_shares(std::size_t mine, std::size_t all) {
  EXPECT_GE(mine, all / all_pes().size());
  EXPECT_LE(mine, all / all_pes().size() + 1);
}

task<void> numbers_are_in_order(pe_id me) {
  for (const std::uint64_t values : {1ULL, 3ULL, 1ULL << 40}) {
    std::vector<std::uint64_t> mine(me % 3 == 1 ? 0 : dice() % 300);
    for (std::uint64_t& number : mine) number = dice() % values;
    std::vector<std::uint64_t> wanted = co_await gather_concatenated(mine);
    std::ranges::sort(wanted);
    const std::vector<std::uint64_t> share = co_await sort(std::move(mine));
    const std::vector<std::uint64_t> sorted = co_await gather_concatenated(share);
    EXPECT_EQ(sorted, wanted) << values << " values";
    expect_even_shares(share.size(), co_await all_reduce(share.size(), reduce::plus));
  }
}
TEST(Sort, NumbersAreInOrder) { run_many(numbers_are_in_order); }

struct word {
  std::string text;
  pe_id from;
  int at;

  friend bool operator==(const word&, const word&) = default;
  template <class Archive>
  void serialize(Archive& a) {
    a(text, from, at);
  }
};

task<void> equal_ones_keep_their_order(pe_id me) {
  std::vector<word> mine;
  const auto count = static_cast<int>(dice() % 60);
  for (int i = 0; i < count; ++i) mine.push_back({std::string(1 + dice() % 3, 'a'), me, i});
  std::vector<word> wanted = co_await gather_concatenated(mine);
  std::ranges::stable_sort(wanted, std::greater(), &word::text);
  const std::vector<word> share = co_await stable_sort(std::move(mine), std::greater(), &word::text);
  const std::vector<word> sorted = co_await gather_concatenated(share);
  EXPECT_TRUE(sorted == wanted);
}
TEST(Sort, EqualOnesKeepTheirOrder) { run_many(equal_ones_keep_their_order); }

task<void> a_bag_is_in_order(pe_id me) {
  auto b = co_await create_bag<std::string>();
  for (int i = 0; i < 5 * me; ++i) b.insert(std::to_string(dice() % 1000));
  std::vector<std::string> wanted = co_await b.gather();
  std::ranges::sort(wanted);
  co_await b.sort();
  EXPECT_TRUE(std::ranges::is_sorted(b.here()));
  EXPECT_EQ(co_await b.gather(), wanted);
  co_await b.stable_sort(std::ranges::less(), &std::string::size);
  std::ranges::stable_sort(wanted, std::ranges::less(), &std::string::size);
  EXPECT_EQ(co_await b.gather(), wanted);
  co_await b.end();
}
TEST(Sort, ABagIsInOrder) { run_many(a_bag_is_in_order); }

task<void> nothing_to_sort(pe_id) {
  const std::vector<int> share = co_await sort(std::vector<int>());
  EXPECT_TRUE(share.empty());
}
TEST(Sort, NothingToSort) { run_many(nothing_to_sort); }

}  // namespace
}  // namespace tsubu::containers_test
