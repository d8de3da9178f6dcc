// Promise: what lies on all PEs becomes what the standard's algorithms make of one vector of it: by unique(),
// partition(), histogram(), and grouped or reduced by key; a sample is one of its elements, the same on any number of
// PEs, and each element is as likely to be in it. Method: random vectors, many of them empty, and containers, over
// random interleavings of 1 to 5 PEs and on 70.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/by_key.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/histogram.hpp"
#include "tsubu/containers/partition.hpp"
#include "tsubu/containers/sample.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/containers/sort.hpp"
#include "tsubu/containers/unique.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

using row = std::pair<std::string, long>;

std::vector<long> some_numbers(std::uint64_t values) {
  std::vector<long> some(dice() % 3 == 0 ? 0 : dice() % 40);
  for (long& number : some) number = static_cast<long>(dice() % values);
  return some;
}
std::vector<row> some_rows() {
  std::vector<row> some;
  for (const long number : some_numbers(1000)) some.emplace_back("key " + std::to_string(number % 23), number);
  return some;
}
// What all PEs have given, on each.
template <class T>
task<std::vector<T>> all_of(std::vector<T> mine) {
  std::vector<T> all;
  for (std::vector<T>& of_pe : co_await all_gather(std::move(mine))) std::ranges::move(of_pe, std::back_inserter(all));
  co_return all;
}

task<void> repeated_ones_go(pe_id) {
  std::vector<long> mine = some_numbers(3), wanted = co_await all_of(mine);
  const auto same_half = [](long a, long b) { return a / 2 == b / 2; };
  std::vector<long> halves = wanted;
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  halves.erase(std::unique(halves.begin(), halves.end(), same_half), halves.end());
  std::vector<long> different = co_await unique(mine);
  EXPECT_EQ(co_await all_of(std::move(different)), wanted);
  std::vector<long> of_halves = co_await unique(mine, std::ranges::equal_to(), [](long n) { return n / 2; });
  EXPECT_EQ(co_await all_of(std::move(of_halves)), halves);
  std::vector<long> sorted = co_await sort(std::move(mine));
  std::vector<long> once = co_await unique(std::move(sorted));
  EXPECT_LE((co_await all_of(std::move(once))).size(), 3U);
}
TEST(Algorithms, RepeatedOnesGo) { run_many(repeated_ones_go); }

task<void> parted_in_two(pe_id) {
  const std::vector<row> mine = some_rows();
  std::vector<row> wanted = co_await all_of(mine);
  const auto is_third = [](long n) { return n % 3 == 0; };
  const auto border = std::ranges::stable_partition(wanted, is_third, &row::second).begin() - wanted.begin();
  auto [share, third] = co_await partition(mine, is_third, &row::second);
  EXPECT_EQ(co_await all_reduce(third, reduce::plus), static_cast<std::size_t>(border));
  EXPECT_EQ(share.size(), part_of(wanted.size()).size());
  EXPECT_EQ(co_await all_of(std::move(share)), wanted);
}
TEST(Algorithms, PartedInTwo) { run_many(parted_in_two); }

task<void> counted_between(pe_id) {
  const std::vector<row> mine = some_rows();
  const std::vector<long> bounds{100, 250, 251, 900};
  std::vector<std::uint64_t> wanted(5);
  for (const auto& [key, number] : co_await all_of(mine)) {
    ++wanted[static_cast<std::size_t>(std::ranges::count_if(bounds, [n = number](long b) { return b <= n; }))];
  }
  EXPECT_EQ(co_await histogram(mine, bounds, &row::second), wanted);

  auto counts = co_await create_counting_set<std::string>();
  for (const auto& [key, number] : mine) co_await counts.insert(key, number);
  co_await quiescence();
  const std::vector<std::string> texts{"key 2"};
  const std::vector<std::uint64_t> of_keys =
      co_await histogram(counts, texts, &std::pair<std::string, std::int64_t>::first);
  EXPECT_EQ(of_keys[0] + of_keys[1], co_await counts.size());
  co_await counts.end();
}
TEST(Algorithms, CountedBetween) { run_many(counted_between); }

task<void> reduced_by_key(pe_id) {
  const std::vector<row> mine = some_rows();
  std::map<std::string, long> wanted;
  for (const auto& [key, number] : co_await all_of(mine)) wanted[key] += number;
  const auto sums = co_await reduce_by_key(mine, reduce::plus);
  EXPECT_EQ(co_await sums.size(), wanted.size());
  for (const auto& [key, sum] : sums.here()) EXPECT_EQ(sum, wanted[key]) << key;

  // The elements of a container, whose keys become values here.
  const auto swapped = co_await group_by(sums, [](const auto& pair) { return pair.second % 2; });
  std::size_t odd = 0;
  for (const auto& [key, sum] : wanted) odd += static_cast<std::size_t>(sum % 2);
  const std::vector<row> found = co_await swapped.now().find(1);
  EXPECT_EQ(found.size(), odd);
  co_await barrier();
  co_await sums.end();
  co_await swapped.end();
}
TEST(Algorithms, ReducedByKey) { run_many(reduced_by_key); }

// More keys than meet before they are sent: of some many meet, and of others none.
task<void> many_are_reduced(pe_id me) {
  const std::size_t keys = 2 * containers::most_kept_keys;
  for (const std::size_t repeated : {1U, 3U}) {
    std::vector<std::pair<std::uint64_t, int>> mine;
    for (std::size_t key = 0; key < keys; ++key) {
      for (std::size_t times = 0; times < repeated; ++times) mine.emplace_back(key, me + 1);
    }
    const auto greatest = co_await reduce_by_key(std::move(mine), reduce::max);
    EXPECT_EQ(co_await greatest.size(), keys);
    for (const auto& [key, value] : greatest.here()) EXPECT_EQ(value, pe_count());
    co_await greatest.end();
  }
}
TEST(Algorithms, ManyAreReduced) {
  for (const pe_id pes : {1, 3}) run_all(pes, 1, many_are_reduced);
}

task<void> grouped_by_key(pe_id) {
  const std::vector<row> mine = some_rows();
  std::map<std::string, std::multiset<long>> wanted;
  for (const auto& [key, number] : co_await all_of(mine)) wanted[key].insert(number);
  const auto groups = co_await group_by(mine, &row::first);
  std::size_t keys = 0;
  for (const auto& [key, rows] : groups.here()) {
    std::multiset<long> numbers;
    for (const row& r : rows) numbers.insert(r.second);
    EXPECT_EQ(numbers, wanted[key]);
    ++keys;
  }
  EXPECT_EQ(co_await all_reduce(keys, reduce::plus), wanted.size());
  co_await groups.end();
}
TEST(Algorithms, GroupedByKey) { run_many(grouped_by_key); }

// ---- samples

// The same for any number of PEs, of 0 .. 99 in order, and of a set of them.
std::vector<long> first_sample, first_keys;
task<void> the_same_sample(pe_id me) {
  std::vector<long> mine(part_of(100).size());
  std::iota(mine.begin(), mine.end(), static_cast<long>(*part_of(100).begin()));
  const std::vector<long> some = co_await sample(mine, 10, 42);
  auto keys = co_await create_set<long>();
  for (const long number : mine) co_await keys.past().insert(number);
  co_await quiescence();
  const std::vector<long> of_set = co_await sample(keys, 10, 42);
  auto b = co_await create_bag<long>();
  for (const long number : mine) b.insert(number);
  EXPECT_EQ(co_await sample(b, 10, 42), some);
  EXPECT_TRUE(std::ranges::is_sorted(some));
  EXPECT_EQ(std::set<long>(of_set.begin(), of_set.end()).size(), 10U);
  if (me == 0 && first_sample.empty()) {
    first_sample = some;
    first_keys = of_set;
  }
  co_await barrier();
  EXPECT_EQ(some, first_sample);
  EXPECT_EQ(of_set, first_keys);
  EXPECT_EQ((co_await sample(mine, 1000, 42)).size(), 100U);
  EXPECT_EQ((co_await sample(mine, 0, 42)).size(), 0U);
  co_await keys.end();
  co_await b.end();
}
TEST(Algorithms, TheSameSampleForASeed) { run_many(the_same_sample); }

// By Pearson's test: of 2,000 samples, each of the 20 elements is in a quarter.
task<void> each_is_as_likely(pe_id) {
  std::vector<long> mine(part_of(20).size());
  std::iota(mine.begin(), mine.end(), static_cast<long>(*part_of(20).begin()));
  std::vector<int> times(20);
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    for (const long drawn : co_await sample(mine, 5, seed)) ++times[static_cast<std::size_t>(drawn)];
  }
  double chi2 = 0;
  for (const int n : times) chi2 += (n - 500.0) * (n - 500.0) / 375.0;
  EXPECT_LT(chi2, 43.8);  // of 19 degrees of freedom, one in a thousand is more
}
TEST(Algorithms, EachIsAsLikely) { run_all(3, 1, each_is_as_likely); }

}  // namespace
}  // namespace tsubu::containers_test
