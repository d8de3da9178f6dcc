// Promise: scans of vectors that lie on all PEs give what the standard's give of the one vector that they make
// together. Method: vectors of random lengths, many of them empty, over random interleavings of 1 to 5 PEs and on 70;
// numbers, and texts, whose concatenation does not commute.
#include "tsubu/containers/scan_elements.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/gather_concatenated.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

template <class T>
task<void> check_scans(std::vector<T> mine, T first) {
  std::vector<T> inclusive = co_await gather_concatenated(mine), exclusive = inclusive;
  std::inclusive_scan(inclusive.begin(), inclusive.end(), inclusive.begin());
  std::exclusive_scan(exclusive.begin(), exclusive.end(), exclusive.begin(), first);
  const std::vector<T> with = co_await tsubu::inclusive_scan(mine);
  const std::vector<T> before = co_await tsubu::exclusive_scan(mine, first);
  EXPECT_EQ(with.size(), mine.size());
  EXPECT_EQ(before.size(), mine.size());
  EXPECT_EQ(co_await gather_concatenated(with), inclusive);  // on the root; elsewhere both are empty
  EXPECT_EQ(co_await gather_concatenated(before), exclusive);
}

task<void> numbers_are_scanned(pe_id) {
  std::vector<long> mine(dice() % 3 == 0 ? 0 : dice() % 10);
  for (long& number : mine) number = static_cast<long>(dice() % 100);
  co_await check_scans<long>(mine, 1000);
}
TEST(ScanElements, OfNumbers) { run_many(numbers_are_scanned); }

task<void> texts_are_scanned(pe_id me) {
  std::vector<std::string> mine(dice() % 3);
  for (std::string& text : mine) text = std::to_string(me) + "." + std::to_string(dice() % 100) + " ";
  co_await check_scans<std::string>(mine, "first ");
}
TEST(ScanElements, OfTexts) { run_many(texts_are_scanned); }

task<void> the_greatest_so_far(pe_id me) {
  const std::vector<int> mine{me % 3, 7 - me % 2};
  const auto greater = [](int a, int b) { return a > b ? a : b; };
  const std::vector<int> greatest = co_await tsubu::inclusive_scan(mine, greater);
  const std::vector<int> wanted{me == 0 ? 0 : 7, 7};
  EXPECT_EQ(greatest, wanted);
}
TEST(ScanElements, OfTheGreatest) { run_many(the_greatest_so_far); }

}  // namespace
}  // namespace tsubu::containers_test
