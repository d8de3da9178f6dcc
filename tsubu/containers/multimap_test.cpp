// Promise: a multimap does what a sequential multimap does, whatever the interleaving, for keys that one PE uses: the
// values of a key stand in the order in which they came; a visitor sees each once; what is walked is not moved. Method:
// random verbs against std::map of vectors, over random interleavings of 1 to 5 PEs, and small programs.
#include "tsubu/containers/multimap.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/job_of_all.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

void add_to_each(const std::string&, long& value, long by) { value += by; }

// One verb of each kind, at the same time on the multimap and on the model.
task<void> verb_on_many(multimap<std::string, long> m, std::map<std::string, std::vector<long>>& model, std::string key,
                        long by) {
  const auto found = model.find(key);
  const std::vector<long> values = found == model.end() ? std::vector<long>() : found->second;
  switch (dice() % 8) {
    case 0:
      co_await m.past().erase(key);
      model.erase(key);
      break;
    case 1:
      EXPECT_EQ(co_await m.now().erase(key), values.size());
      model.erase(key);
      break;
    case 2:
      EXPECT_EQ(co_await m.now().find(key), values);
      EXPECT_EQ(co_await m.future().count(key), values.size());
      break;
    case 3:
      EXPECT_EQ(co_await m.now().visit<add_to_each>(key, by), values.size());
      for (long& value : model[key]) value += by;
      break;
    case 4:
      co_await m.past().visit(key, [by](const std::string&, long& value) { value -= by; });
      for (long& value : model[key]) value -= by;
      break;
    case 5:
      EXPECT_EQ(co_await m.now().insert(key, by), values.size() + 1);
      model[key].push_back(by);
      break;
    default:
      co_await m.past().insert(key, by);
      model[key].push_back(by);
  }
  std::erase_if(model, [](const auto& of_key) { return of_key.second.empty(); });
}

task<void> random_verbs_on_many(pe_id me) {
  auto m = co_await create_multimap<std::string, long>();
  std::map<std::string, std::vector<long>> model;
  std::size_t values = 0;
  for (int step = 0; step < 80; ++step) {
    std::string key = "a key of PE " + std::to_string(me) + ": " + std::to_string(dice() % 5);
    co_await verb_on_many(m, model, std::move(key), static_cast<long>(dice() % 100));
  }
  co_await quiescence();
  for (const auto& [key, expected] : model) {
    EXPECT_EQ(co_await m.now().find(key), expected);
    EXPECT_EQ(m.find_here(key) != nullptr, m.home(key) == me);
    values += expected.size();
  }
  EXPECT_EQ(co_await m.size(), co_await all_reduce(values, reduce::plus));
  std::size_t here = 0, visited = 0;
  for (const auto& [key, list] : m.here()) here += list.size();
  m.for_each_here([&visited](const std::string&, long&) { ++visited; });
  EXPECT_EQ(here, m.size_here());
  EXPECT_EQ(visited, here);
  co_await m.end();
}
TEST(Multimap, DoesWhatASequentialMultimapDoes) { run_many(random_verbs_on_many); }

// All PEs insert under one key: nothing is lost, and each PE's values stand in its order. A visitor gets its argument
// anew for each value, though the visitor before it has emptied its own.
std::vector<long> two(long a, long b) { return {a, b}; }
void append_and_empty(const long&, std::vector<long>& value, std::vector<long> added) {
  value.insert(value.end(), added.begin(), added.end());
  added.clear();
}
task<void> many_values_of_one_key(pe_id me) {
  auto m = co_await create_multimap<long, std::vector<long>>([](long, pe_id pes) { return pes - 1; });
  for (long i = 0; i < 20; ++i) co_await m.past().insert(7, two(me, i));
  co_await quiescence();
  if (me == 0) {
    EXPECT_EQ(co_await m.now().visit<append_and_empty>(7, two(5, 6)), 20 * all_pes().size());
  }
  co_await barrier();
  std::vector<long> next(all_pes().size());
  for (const std::vector<long>& value : co_await m.now().find(7)) {
    const long i = next[static_cast<std::size_t>(value[0])]++;
    EXPECT_EQ(value[1], i);
    EXPECT_EQ(std::vector<long>(value.begin() + 2, value.end()), two(5, 6));
  }
  EXPECT_EQ(next, std::vector<long>(next.size(), 20));
  EXPECT_EQ(m.size_here(), me == pe_count() - 1 ? 20 * all_pes().size() : 0);
  co_await m.end();
}
TEST(Multimap, KeepsAllValuesOfOneKeyInOrder) { run_many(many_values_of_one_key); }

task<void> a_value_comes_while_walked(pe_id) {
  auto m = co_await create_multimap<long, long>();
  co_await m.now().insert(1, 0);
  for (const auto& [key, values] : m.here()) co_await m.now().insert(key, 2);
}
task<void> a_list_goes_while_walked(pe_id) {
  auto m = co_await create_multimap<long, long>();
  co_await m.now().insert(1, 0);
  const auto elements = m.here();
  EXPECT_EQ(co_await m.now().erase(2), 0u);  // is not there: nothing moves
  co_await m.now().erase(1);
}
TEST(MultimapDeathTest, WhatWouldMoveUnderAWalkIsRefused) {
  EXPECT_DEATH(run_all(1, 1, a_value_comes_while_walked),
               "walked by line [0-9]+ of .*multimap_test.cpp, and a value comes meanwhile");
  EXPECT_DEATH(run_all(1, 1, a_list_goes_while_walked), "walked by line [0-9]+ of .*, and a key is erased meanwhile");
}

}  // namespace
}  // namespace tsubu::containers_test
