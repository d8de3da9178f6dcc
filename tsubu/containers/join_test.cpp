// Promise: a join finds each pair of values of equal keys once, a left join those without a partner, too, and a
// semi-join those with one. Method: random values on random interleavings of 1 to 5 PEs and on 70, beside loops over
// all of them.
#include "tsubu/containers/join.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/set.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

using rows = std::vector<std::pair<long, std::string>>;
using joined = std::vector<std::tuple<long, std::string, std::string>>;

// By whom they have come does not matter to who compares.
template <class T>
task<std::vector<T>> all_in_order(std::vector<T> mine) {
  std::vector<T> all;
  for (const std::vector<T>& of_pe : co_await all_gather(std::move(mine)))
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(all);
  co_return all;
}

rows random_rows(const std::string& name, std::size_t most) {
  rows some;
  for (std::size_t left = dice() % most; left > 0; --left) {
    some.emplace_back(static_cast<long>(dice() % 30), name + std::to_string(dice() % 1000));
  }
  return some;
}

enum class join_kind { inner, left, semi };
joined by_loops(const rows& a, const rows& b, join_kind kind) {
  joined found;
  for (const auto& [key, x] : a) {
    bool any = false;
    for (const auto& [other, y] : b) {
      if (other != key) continue;
      if (kind != join_kind::semi) found.emplace_back(key, x, y);
      any = true;
    }
    if (any ? kind == join_kind::semi : kind == join_kind::left) found.emplace_back(key, x, "");
  }
  std::ranges::sort(found);
  return found;
}

template <class A, class B>
joined by_join(A a, B b, join_kind kind) {
  joined found;
  if (kind == join_kind::inner) {
    inner_join(a, b, [&](long key, const std::string& x, const std::string& y) { found.emplace_back(key, x, y); });
  } else if (kind == join_kind::left) {
    left_join(a, b, [&](long key, const std::string& x, const std::string* y) {
      found.emplace_back(key, x, y == nullptr ? "" : *y);
    });
  } else {
    semi_join(a, b, [&](long key, const std::string& x) { found.emplace_back(key, x, ""); });
  }
  return found;
}

task<void> multimaps_are_joined(pe_id) {
  auto a = co_await create_multimap<long, std::string>();
  auto b = co_await create_multimap<long, std::string>();
  const rows of_a = random_rows("a", 40), of_b = random_rows("b", 20);
  for (const auto& [key, value] : of_a) co_await a.past().insert(key, value);
  for (const auto& [key, value] : of_b) co_await b.past().insert(key, value);
  co_await quiescence();
  const rows all_a = co_await all_in_order(of_a), all_b = co_await all_in_order(of_b);
  for (const join_kind kind : {join_kind::inner, join_kind::left, join_kind::semi}) {
    EXPECT_EQ(co_await all_in_order(by_join(a, b, kind)), by_loops(all_a, all_b, kind));
  }
  co_await a.end();
  co_await b.end();
}
TEST(Join, OfMultimaps) { run_many(multimaps_are_joined); }

// The values of a map may be vectors themselves.
task<void> a_map_is_joined(pe_id me) {
  auto a = co_await create_map<long, std::vector<long>>();
  auto b = co_await create_multimap<long, long>();
  auto keys = co_await create_set<long>();
  for (long key = me; key < 20; key += pe_count()) {
    const std::vector<long> list(3, key);
    co_await a.past().insert(key, list);
    if (key % 2 == 0) co_await b.past().insert(key, -key);
    if (key % 5 == 0) co_await keys.past().insert(key);
  }
  co_await quiescence();
  std::size_t pairs = 0, common = 0;
  inner_join(a, b, [&](long key, const std::vector<long>& x, long y) {
    EXPECT_EQ(x, std::vector<long>(3, key));
    EXPECT_EQ(y, -key);
    ++pairs;
  });
  semi_join(a, keys, [&](long key, const std::vector<long>&) { common += key % 5 == 0 ? 1 : 100; });
  EXPECT_EQ(co_await all_reduce(pairs, reduce::plus), 10U);
  EXPECT_EQ(co_await all_reduce(common, reduce::plus), 4U);
  co_await a.end();
  co_await b.end();
  co_await keys.end();
}
TEST(Join, OfAMap) { run_many(a_map_is_joined); }

// Homes by a function of the program's, which has been told different numbers.
struct home_behind {
  pe_id first;
  pe_id operator()(long key, pe_id pes) const { return static_cast<pe_id>((key + first) % pes); }
};
task<void> homes_differ(pe_id) {
  auto a = co_await create_map<long, long>(home_behind{0});
  auto b = co_await create_map<long, long>(home_behind{1});
  co_await a.now().insert(4, 0);
  co_await quiescence();
  inner_join(a, b, [](long, long, long) {});
}
TEST(JoinDeathTest, HomesThatDifferAreRefused) {
  EXPECT_DEATH(run_all(2, 1, homes_differ), "two containers are joined whose keys have different homes: PE 0 and PE 1");
}

}  // namespace
}  // namespace tsubu::containers_test
