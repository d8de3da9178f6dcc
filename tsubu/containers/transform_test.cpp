// Promise: transform() makes a container of what a function gives of each element, where that one lies; erase_if_here()
// takes out what it is told, no more, and asks about each element once. Method: containers of random contents over
// random interleavings of 1 to 5 PEs and on 70, beside the standard library's.
#include "tsubu/containers/transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/containers/join.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

std::string key_of(std::size_t n) { return "key " + std::to_string(n); }

template <class Container, class Element>
void expect_here(const Container& c, std::vector<Element> wanted) {
  std::vector<Element> found(c.here().begin(), c.here().end());
  std::ranges::sort(found);
  std::ranges::sort(wanted);
  EXPECT_EQ(found, wanted);
}

task<void> maps_are_transformed(pe_id) {
  auto m = co_await create_map<std::string, long>();
  auto words = co_await create_counting_set<std::string>();
  auto keys = co_await create_set<std::string>();
  for (std::size_t left = dice() % 60; left > 0; --left) {
    const std::string key = key_of(dice() % 30);
    co_await m.past().insert(key, static_cast<long>(dice() % 100));
    co_await words.insert(key);
    co_await keys.past().insert(key);
  }
  co_await quiescence();
  const auto texts = co_await transform(m, [](const std::string& key, long n) { return key + std::to_string(n); });
  const auto doubled = co_await transform(words, [](const std::string&, std::int64_t n) { return 2 * n; });
  const auto lengths = co_await transform(keys, [](const std::string& key) { return key.size(); });
  EXPECT_EQ(texts.size_here(), m.size_here());
  inner_join(m, texts,
             [](const std::string& key, long n, const std::string& text) { EXPECT_EQ(text, key + std::to_string(n)); });
  std::int64_t twice = 0;
  inner_join(doubled, lengths, [&](const std::string& key, std::int64_t n, std::size_t length) {
    EXPECT_EQ(length, key.size());
    twice += n;
  });
  EXPECT_EQ(co_await all_reduce(twice, reduce::plus), 2 * co_await words.total());
  co_await barrier();
  co_await m.end();
  co_await words.end();
  co_await keys.end();
  co_await texts.end();
  co_await doubled.end();
  co_await lengths.end();
}
TEST(Transform, OfMaps) { run_many(maps_are_transformed); }

task<void> orders_are_kept(pe_id me) {
  auto lists = co_await create_multimap<long, long>();
  auto b = co_await create_bag<long>();
  for (long i = 0; i < 10; ++i) {
    co_await lists.past().insert(me % 4, 100 * me + i);
    b.insert(100 * me + i);
  }
  co_await quiescence();
  const auto squares = co_await transform(lists, [](long key, long n) { return std::pair(key, n * n); });
  const auto texts = co_await transform(b, [](long n) { return std::to_string(n); });
  for (const auto& [key, list] : lists.here()) {
    std::vector<std::pair<long, long>> wanted;
    for (const long n : list) wanted.emplace_back(key, n * n);
    EXPECT_EQ(*squares.find_here(key), wanted);
  }
  std::vector<std::string> wanted;
  for (const long n : b.here()) wanted.push_back(std::to_string(n));
  EXPECT_TRUE(std::ranges::equal(texts.here(), wanted));
  co_await lists.end();
  co_await squares.end();
  co_await b.end();
  co_await texts.end();
}
TEST(Transform, KeepsTheOrderOfValues) { run_many(orders_are_kept); }

task<void> some_are_erased(pe_id) {
  auto m = co_await create_map<std::string, long>();
  auto words = co_await create_counting_set<long>();
  auto lists = co_await create_multimap<long, long>();
  auto keys = co_await create_set<long>();
  auto b = co_await create_bag<long>();
  for (std::size_t left = dice() % 200; left > 0; --left) {
    const auto n = static_cast<long>(dice() % 100);
    co_await m.past().insert(key_of(dice() % 1000), n);
    co_await words.insert(n);
    co_await lists.past().insert(n % 10, n);
    co_await keys.past().insert(n);
    b.insert(n);
  }
  co_await quiescence();
  const auto third = [](long n) { return n % 3 == 0; };
  std::vector<std::pair<std::string, long>> of_map(m.here().begin(), m.here().end());
  std::vector<long> of_set(keys.here().begin(), keys.here().end()), of_bag(b.here().begin(), b.here().end());
  std::vector<std::pair<long, std::int64_t>> counts(words.here().begin(), words.here().end());
  std::map<long, std::vector<long>> of_lists(lists.here().begin(), lists.here().end());
  std::size_t asked = 0;
  const std::size_t all = of_map.size();
  const auto counted = [&](const std::string&, long n) { return ++asked, third(n); };
  EXPECT_EQ(m.erase_if_here(counted), std::erase_if(of_map, [&](const auto& pair) { return third(pair.second); }));
  EXPECT_EQ(asked, all);
  EXPECT_EQ(words.erase_if_here([&](long n, std::int64_t) { return third(n); }),
            std::erase_if(counts, [&](const auto& pair) { return third(pair.first); }));
  EXPECT_EQ(keys.erase_if_here(third), std::erase_if(of_set, third));
  EXPECT_EQ(b.erase_if_here(third), std::erase_if(of_bag, third));
  std::size_t gone = 0;
  for (auto& [key, list] : of_lists) gone += std::erase_if(list, third);
  std::erase_if(of_lists, [](const auto& pair) { return pair.second.empty(); });
  EXPECT_EQ(lists.erase_if_here([&](long, long n) { return third(n); }), gone);
  expect_here(m, of_map);
  expect_here(words, counts);
  expect_here(keys, of_set);
  EXPECT_TRUE(std::ranges::equal(b.here(), of_bag));
  expect_here(lists, std::vector<std::pair<long, std::vector<long>>>(of_lists.begin(), of_lists.end()));
  std::int64_t total = 0;
  for (const auto& [key, n] : counts) total += n;
  EXPECT_EQ(co_await words.total(), co_await all_reduce(total, reduce::plus));
  std::size_t values = 0;
  for (const auto& [key, list] : of_lists) values += list.size();
  EXPECT_EQ(lists.size_here(), values);
  co_await m.end();
  co_await words.end();
  co_await lists.end();
  co_await keys.end();
  co_await b.end();
}
TEST(EraseIf, TakesOutWhatItIsTold) { run_many(some_are_erased); }

task<void> erased_while_walked(pe_id) {
  auto keys = co_await create_set<int>();
  co_await keys.now().insert(1);
  for (const int key : keys.here()) keys.erase_if_here([key](int other) { return other > key; });
}
task<void> inserted_while_asked(pe_id) {
  auto words = co_await create_counting_set<int>();
  static_cast<void>(words.insert(1));
  words.erase_if_here([words](int key, std::int64_t) {
    static_cast<void>(words.insert(key + 1));  // on the spot, on the one PE
    return false;
  });
}
TEST(EraseIfDeathTest, WalksAreRefused) {
  EXPECT_DEATH(run_all(1, 1, erased_while_walked), "walked by line [0-9]+ of .*, and keys are erased meanwhile");
  EXPECT_DEATH(run_all(1, 1, inserted_while_asked), "walked by line [0-9]+ of .*, and a new key comes meanwhile");
}

}  // namespace
}  // namespace tsubu::containers_test
