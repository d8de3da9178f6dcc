// Promise: a map does what a sequential map does, whatever the interleaving, for keys that one PE uses; visitors run
// once, where the key lives, and may visit on; an epoch and quiescence wait for them; what is walked is not moved.
// Method: random verbs against std::map, over random interleavings of 1 to 5 PEs, and small programs.
#include "tsubu/containers/map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

template <class K>
K key_of(std::uint64_t n) {
  if constexpr (std::is_same_v<K, std::string>) {
    return (n % 2 == 0 ? "key " : "key that is too long to be short ") + std::to_string(n * n * n);
  } else {
    return static_cast<K>(n);
  }
}

template <class K>
long add_to(const K&, long& value, long by) {
  return value += by;
}

template <class K>
std::optional<long> value_in(const std::map<K, long>& model, const K& key) {
  const auto found = model.find(key);
  return found == model.end() ? std::nullopt : std::optional<long>(found->second);
}

// One verb of each kind, at the same time on the map and on the model.
template <class K, class M>
task<void> verb(M m, std::map<K, long>& model, K key, long by) {
  const std::optional<long> value = value_in(model, key);
  const bool there = value.has_value();
  switch (dice() % 11) {
    case 0:
      EXPECT_EQ(co_await m.now().insert(key, by), !there);
      model.try_emplace(key, by);
      break;
    case 1:
      EXPECT_EQ(co_await m.now().insert_or_assign(key, by), !there);
      model[key] = by;
      break;
    case 2:
      model[key] += by;
      EXPECT_EQ(co_await m.now().template visit<add_to<K>>(key, by), value.value_or(0) + by);
      break;
    case 3:
      EXPECT_EQ((co_await m.now().visit_if_present(key, [](const K&, long& v) { return v; })), value);
      break;
    case 4:
      EXPECT_EQ((co_await m.now().template visit_or_insert<add_to<K>>(key, by, 1)), !there);
      if (there) {
        ++model[key];
      } else {
        model[key] = by;
      }
      break;
    case 5:
      EXPECT_EQ(co_await m.now().erase(key), there);
      model.erase(key);
      break;
    case 6:
      EXPECT_EQ(co_await m.now().find(key), value);
      EXPECT_EQ(co_await m.now().contains(key), there);
      break;
    case 7: {
      auto later = m.future().reduce(key, by, reduce::max);
      model[key] = there ? std::max(model[key], by) : by;
      EXPECT_EQ(co_await later, !there);
      break;
    }
    case 8:
      co_await m.past().erase(key);
      model.erase(key);
      break;
    case 9:
      co_await m.past().template visit<add_to<K>>(key, by);
      model[key] += by;
      break;
    default:
      co_await m.past().insert_or_assign(key, by);
      model[key] = by;
  }
}

template <class K, class P>
task<void> random_verbs(pe_id me, P partition) {
  auto m = co_await create_map<K, long>(partition);
  std::map<K, long> model;
  const auto mine = [me](std::uint64_t i) { return key_of<K>(i * all_pes().size() + pe_index(me)); };
  for (int step = 0; step < 60; ++step) co_await verb<K>(m, model, mine(dice() % 10), static_cast<long>(dice() % 100));
  co_await quiescence();
  for (std::uint64_t i = 0; i < 10; ++i) {
    const std::optional<long> expected = value_in(model, mine(i));
    EXPECT_EQ(co_await m.now().find(mine(i)), expected);
  }
  for (const auto& [key, value] : m.here()) EXPECT_EQ(m.home(key), this_pe());
  EXPECT_EQ(co_await m.size(), co_await all_reduce(model.size(), reduce::plus));
  co_await m.end();
}
task<void> random_verbs_of_numbers(pe_id me) { return random_verbs<long>(me, by_hash()); }
task<void> random_verbs_of_texts(pe_id me) { return random_verbs<std::string>(me, by_hash()); }
task<void> random_verbs_by_function(pe_id me) {
  return random_verbs<long>(me, [](long key, pe_id pes) { return key % 3 == 0 ? 0 : pes - 1; });
}
TEST(Map, DoesWhatASequentialMapDoes) {
  run_many(random_verbs_of_numbers);
  run_many(random_verbs_of_texts);
  run_many(random_verbs_by_function);
}

// A visitor that visits the next key, with the map's name as an argument: n keys in a row, over all PEs.
void hop(const long& key, long& seen, map<long, long> m, long last) {
  ++seen;
  if (key < last) m.past().visit<hop>(key + 1, m, last);
}
task<void> visitors_visit_on(pe_id me) {
  auto m = co_await create_map<long, long>();
  auto from_zero = [m]() -> task<void> { co_await m.past().visit<hop>(0, m, 99); };
  co_await epoch(from_zero);
  EXPECT_GE(co_await m.now().find(99), 1);  // the epoch has waited for the last one
  co_await quiescence();
  for (long key = me; key < 100; key += pe_count()) EXPECT_EQ(co_await m.now().find(key), pe_count());
  co_await m.end();
}
TEST(Map, VisitorsVisitOn) { run_many(visitors_visit_on); }

long refuse(const long& key, long&) { throw std::out_of_range("no " + std::to_string(key)); }
task<void> what_a_visitor_throws_comes_back(pe_id me) {
  auto m = co_await create_map<long, long>();
  std::string said;
  try {
    co_await m.now().visit<refuse>(me);
  } catch (const std::out_of_range& e) {
    said = e.what();
  }
  EXPECT_EQ(said, "no " + std::to_string(me));
  // visit() had made the value.
  EXPECT_EQ(co_await m.now().find(me), 0);
  co_await m.end();
}
TEST(Map, WhatAVisitorThrowsComesBack) { run_many(what_a_visitor_throws_comes_back); }

// Two maps of one type, and one of another, are three maps.
task<void> maps_are_apart(pe_id me) {
  auto a = co_await create_map<long, long>();
  auto b = co_await create_map<long, long>();
  auto c = co_await create_map<long, std::vector<long>>();
  co_await a.past().insert(me, 1);
  co_await b.past().insert(me, 2);
  const std::vector<long> list(2, me);
  co_await c.past().insert(me, list);
  EXPECT_EQ(co_await a.now().find(me), 1);
  EXPECT_EQ(co_await b.now().find(me), 2);
  EXPECT_EQ(co_await c.now().find(me), list);
  co_await a.end();
  EXPECT_EQ(co_await b.now().find(me), 2);
  co_await b.end();
  co_await c.end();
}
TEST(Map, MapsAreApart) { run_many(maps_are_apart); }

// While a walk waits, values change under it, and keys that are there are named again.
task<void> values_change_while_walked(pe_id) {
  auto m = co_await create_map<long, long>();
  for (long key = 0; key < 20; ++key) co_await m.past().insert(key, 0);
  co_await quiescence();
  long met = 0;
  for (const auto& [key, value] : m.here()) {
    EXPECT_EQ(co_await m.now().insert(key, 77), false);
    co_await m.now().visit<add_to<long>>(key, 1);
    EXPECT_GE(value, 1);
    ++met;
  }
  EXPECT_EQ(met, static_cast<long>(m.size_here()));
  co_await quiescence();
  m.for_each_here([](long, long& value) { value *= 10; });
  for (const auto& [key, value] : m.here()) EXPECT_EQ(value, 10);
  EXPECT_EQ(std::ranges::distance(m.here()), met);
  co_await m.end();
}
TEST(Map, ValuesChangeWhileWalked) { run_many(values_change_while_walked); }

task<void> a_key_comes_while_walked(pe_id) {
  auto m = co_await create_map<long, long>();
  co_await m.now().insert(1, 0);
  for (const auto& [key, value] : m.here()) co_await m.now().insert(key + 1, value);
}
task<void> a_key_goes_while_walked(pe_id) {
  auto m = co_await create_map<long, long>();
  co_await m.now().insert(1, 0);
  const auto elements = m.here();
  co_await m.now().erase(2);  // is not there: nothing moves
  co_await m.now().erase(1);
}
task<void> ends_while_walked(pe_id) {
  auto m = co_await create_map<long, long>();
  const auto elements = m.here();
  co_await m.end();
}
task<void> used_after_its_end(pe_id) {
  auto m = co_await create_map<long, long>();
  co_await m.end();
  co_await m.now().insert(1, 1);
}
TEST(MapDeathTest, WhatWouldMoveUnderAWalkIsRefused) {
  EXPECT_DEATH(run_all(1, 1, a_key_comes_while_walked),
               "a container is walked by line [0-9]+ of .*map_test.cpp, and a new key comes meanwhile");
  EXPECT_DEATH(run_all(1, 1, a_key_goes_while_walked), "walked by line [0-9]+ of .*, and a key is erased meanwhile");
  EXPECT_DEATH(run_all(1, 1, ends_while_walked), "walked by line [0-9]+ of .*, and it ends meanwhile");
  EXPECT_DEATH(run_all(1, 1, used_after_its_end), "container 0 of its type has ended, and is used");
}

TEST(ShortText, KeepsItsText) {
  for (const char* text : {"", "a", "fifteen letters"}) {
    EXPECT_TRUE(containers::short_text::fits(text));
    EXPECT_EQ(containers::short_text(text).view(), text);
  }
  EXPECT_EQ(containers::short_text(std::string("a\0b", 3)).view(), std::string("a\0b", 3));
  EXPECT_FALSE(containers::short_text::fits("sixteen letters!"));
}

// The hash is written down: it must not change with a compiler or a library, or what is kept would not be found.
TEST(KeyHash, IsTheSameForEver) {
  EXPECT_EQ(containers::hash_of_key(1), 0x5692161d100b05e5U);
  EXPECT_EQ(containers::hash_of_key(1L), containers::hash_of_key(std::int8_t{1}));
  EXPECT_EQ(containers::hash_of_key(std::string("grain")), containers::hash_of_key(std::string_view("grain")));
  EXPECT_EQ(containers::hash_of_key(std::string("")), 0u);
}
// Each PE gets its share, and so does each place of a table.
TEST(KeyHash, SpreadsKeysAndPlaces) {
  for (const pe_id pes : {2, 3, 64}) {
    std::vector<int> keys(static_cast<std::size_t>(pes)), places(16);
    for (long i = 0; i < 64'000; ++i) {
      const std::string text = std::to_string(i);
      ++keys[static_cast<std::size_t>(by_hash()(text, pes))];
      if (by_hash()(text, pes) == 0) ++places[containers::hash_of_key(text) % 16];
    }
    const int share = 64'000 / pes;
    EXPECT_GT(*std::ranges::min_element(keys), share * 8 / 10);
    EXPECT_LT(*std::ranges::max_element(keys), share * 12 / 10);
    EXPECT_GT(*std::ranges::min_element(places), share / 16 * 6 / 10);
    EXPECT_LT(*std::ranges::max_element(places), share / 16 * 14 / 10);
  }
}

}  // namespace
}  // namespace tsubu::containers_test
