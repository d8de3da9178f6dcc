// Promise: parts are all of the numbers, in order, each on one PE, and owner_of() says which; homes are spread evenly,
// and the same for equal keys of different types. Method: jobs of 1 to 70 PEs, asked on one of them, and plain
// counting.
#include "tsubu/remote/memory/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "tests/interleaved_job.hpp"

namespace tsubu {
namespace {

using test::interleaved_job;

const std::vector<pe_id> job_sizes{1, 2, 3, 7, 16, 70};

TEST(Parts, AreAllOfTheNumbersInOrder) {
  for (const pe_id count : job_sizes) {
    interleaved_job job(count);
    job[0];
    for (const std::size_t n : {0U, 1U, 2U, 6U, 7U, 69U, 70U, 1000U}) {
      std::size_t next = 0, largest = 0, smallest = n;
      for (const pe_id pe : all_pes()) {
        const auto part = part_of(n, pe);
        EXPECT_EQ(part.from(), next);
        for (const std::size_t i : part) {
          EXPECT_EQ(i, next++);
          EXPECT_EQ(owner_of(n, i), pe);
          EXPECT_TRUE(part.contains(i));
        }
        EXPECT_EQ(part.to(), next);
        EXPECT_FALSE(part.contains(next));
        EXPECT_EQ(part.empty(), part.size() == 0);
        largest = std::max(largest, part.size()), smallest = std::min(smallest, part.size());
      }
      EXPECT_EQ(next, n);
      EXPECT_LE(largest, smallest + 1);
    }
  }
}

TEST(Parts, AreOfThePeThatAsks) {
  interleaved_job job(3);
  for (pe_id pe = 0; pe < 3; ++pe) {
    job[pe];
    EXPECT_EQ(part_of(10).from(), part_of(10, pe).from());
    EXPECT_EQ(pe_index(), static_cast<std::size_t>(pe));
  }
}

// More numbers than the product of two of them could be held in 64 bits.
TEST(Parts, DoNotOverflow) {
  interleaved_job job(7);
  job[6];
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(part_of(most).to(), most);
  EXPECT_EQ(owner_of(most, most - 1), 6);
  EXPECT_EQ(owner_of(most, std::uint32_t{0}), 0);
}

TEST(Parts, AreOfAnyIntegralType) {
  interleaved_job job(3);
  job[1];
  EXPECT_EQ(part_of(10).from(), part_of(std::uint8_t{10}).from());
  EXPECT_EQ(part_of(10L).from(), part_of(10U).from());
  EXPECT_EQ(owner_of(short{10}, 9ULL), 2);
}

using PartsDeath = ::testing::Test;
TEST(PartsDeath, OfWhatIsNotThere) {
  interleaved_job job(3);
  job[1];
  EXPECT_EXIT(part_of(-1), testing::ExitedWithCode(1), "a number of things, or the number of one, is -1");
  EXPECT_EXIT(part_of(10, 3), testing::ExitedWithCode(1), "PE 3 has no index: the job's PEs are 0 to 2");
  EXPECT_EXIT(pe_index(no_pe), testing::ExitedWithCode(1), "PE -1 has no index");
  EXPECT_EXIT(owner_of(10, 10), testing::ExitedWithCode(1), "number 10 of 10 things has no owner");
  EXPECT_EXIT((void)at(std::size_t{1} << 32), testing::ExitedWithCode(1), "a message for PE 4294967296, but .* 0 to 2");
  EXPECT_EXIT((void)at(-1L), testing::ExitedWithCode(1), "a message for PE -1, but");
}

TEST(Homes, OfEqualKeysAreTheSame) {
  interleaved_job job(7);
  job[0];
  for (const long key : {-5L, -1L, 0L, 1L, 77L, 100'000L}) {
    EXPECT_EQ(home_of(key), home_of(static_cast<int>(key)));
    EXPECT_EQ(home_of(key), home_of(static_cast<std::size_t>(key)));
  }
  EXPECT_EQ(home_of(std::string("tsubu")), home_of("tsubu"));
  EXPECT_EQ(home_of(std::string_view("tsubu")), home_of("tsubu"));
}

// Each PE has its share of so many keys, within five standard deviations.
template <class Key>
void expect_even(Key key_of) {
  constexpr int keys = 70'000;
  std::vector<int> of_pe(all_pes().size());
  for (int k = 0; k < keys; ++k) ++of_pe[pe_index(home_of(key_of(k)))];
  const auto [least, most] = std::ranges::minmax(of_pe);
  EXPECT_GT(least, keys / 7 - 5 * 93);
  EXPECT_LT(most, keys / 7 + 5 * 93);
}

TEST(Homes, HaveAboutAsManyKeys) {
  interleaved_job job(7);
  job[0];
  expect_even([](int k) { return k; });
  expect_even([](int k) { return 7 * k; });
  expect_even([](int k) { return std::int64_t{k} << 32; });
  expect_even([](int k) { return 0.5 * k; });
  expect_even([](int k) { return "word" + std::to_string(k); });
}

}  // namespace
}  // namespace tsubu

// A program's own functions are taken where both fit, though an argument has to be converted.
static int home_of(unsigned long long) { return 1234; }
static int part_of(long) { return 1235; }

TEST(Parts, OfTheProgramGoBefore) {
  using namespace tsubu;
  EXPECT_EQ(home_of(3U), 1234);
  EXPECT_EQ(part_of(3), 1235);
}
