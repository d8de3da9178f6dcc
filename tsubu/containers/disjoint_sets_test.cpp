// Promise: what was united is of one set, nothing else is, and the representative is the same whatever the
// interleaving. Method: random unions of numbers and of texts beside a sequential union-find, over random interleavings
// of 1 to 5 PEs and on 70; a path, which is the longest chain of parents.
#include "tsubu/containers/disjoint_sets.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/remote/memory/parts.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

using edges = std::vector<std::pair<int, int>>;

task<edges> gather_everywhere(edges mine) {
  edges all;
  for (const edges& of_pe : co_await all_gather(std::move(mine))) all.insert(all.end(), of_pe.begin(), of_pe.end());
  co_return all;
}

// For each element the least one of its set.
std::map<int, int> united_one_by_one(const edges& all) {
  std::map<int, int> least;
  for (const auto& [a, b] : all) {
    least.try_emplace(a, a);
    least.try_emplace(b, b);
    const int low = std::min(least[a], least[b]), high = std::max(least[a], least[b]);
    for (auto& [element, of_set] : least)
      if (of_set == high) of_set = low;
  }
  return least;
}

template <class K, class Name>
task<void> check_sets(edges mine, Name name) {
  auto sets = co_await create_disjoint_sets<K>();
  for (const auto& [a, b] : mine) co_await sets.unite(name(a), name(b));
  co_await quiescence();
  const std::map<int, int> wanted = united_one_by_one(co_await gather_everywhere(mine));
  std::set<int> different;
  for (const auto& [element, least] : wanted) different.insert(least);
  EXPECT_EQ(co_await sets.count_sets(), different.size());
  EXPECT_EQ(co_await sets.size(), wanted.size());
  for (const auto& [a, b] : mine) {
    const K of_a = co_await sets.find(name(a));
    const K of_b = co_await sets.find(name(b));
    EXPECT_EQ(of_a, of_b);
  }
  co_await sets.compress();
  std::map<K, K> least_of;  // of each set here, by its representative
  std::map<K, int> numbers;
  for (const auto& [element, least] : wanted) numbers[name(element)] = element;
  for (const auto& [element, representative] : sets.here()) {
    const K least = name(wanted.at(numbers.at(element)));
    EXPECT_EQ(least_of.try_emplace(representative, least).first->second, least);
    EXPECT_EQ(name(wanted.at(numbers.at(representative))), least);
  }
  co_await sets.end();
}

edges random_edges(std::size_t most, unsigned elements) {
  edges some;
  for (std::size_t left = dice() % most; left > 0; --left) {
    some.emplace_back(static_cast<int>(dice() % elements), static_cast<int>(dice() % elements));
  }
  return some;
}

task<void> numbers_are_united(pe_id) {
  const auto name = [](int i) { return static_cast<std::uint64_t>(i); };
  co_await check_sets<std::uint64_t>(random_edges(60, 100), name);
}
TEST(DisjointSets, NumbersAreUnited) { run_many(numbers_are_united); }

task<void> texts_are_united(pe_id) {
  const auto name = [](int i) { return "a text of some length, " + std::to_string(i); };
  co_await check_sets<std::string>(random_edges(20, 50), name);
}
TEST(DisjointSets, TextsAreUnited) { run_many(texts_are_united); }

task<void> a_path_is_one_set(pe_id me) {
  auto sets = co_await create_disjoint_sets<int>();
  for (int i = me; i < 500; i += pe_count()) co_await sets.unite(i, i + 1);
  co_await sets.insert(1000);
  co_await quiescence();
  EXPECT_EQ(co_await sets.count_sets(), 2U);
  const int of_all = co_await sets.find(250);
  co_await sets.compress();
  for (const auto& [element, representative] : sets.here()) {
    EXPECT_EQ(representative, element == 1000 ? 1000 : of_all);
  }
  EXPECT_EQ(co_await sets.find(-1), -1);
  co_await sets.end();
}
TEST(DisjointSets, APathIsOneSet) { run_many(a_path_is_one_set); }

}  // namespace
}  // namespace tsubu::containers_test
