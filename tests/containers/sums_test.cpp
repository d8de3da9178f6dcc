// Promise: what verbs do that may come in any order is the same in all orders: after quiescence each container has what
// a sequential one has. A map, a multimap, sets, counting sets, a bag and disjoint sets are used beside each other;
// visitors visit on; an epoch has waited for what was sent in it, and a walk sees each key once while others change
// values. Method: rounds of random verbs of all PEs, beside the standard library's containers, which change when a verb
// is sent; after each round all is compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/containers/model_job.hpp"
#include "tsubu/containers/bag.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/disjoint_sets.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/remote/termination/epoch.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

// ---- the model, which changes when a verb is sent

struct everything {
  std::map<long, long> totals;
  std::map<std::string, long> most;
  std::map<long, std::multiset<long>> lists;
  std::set<std::string> seen;
  std::map<std::string, std::int64_t> words;
  std::map<long, std::int64_t> numbers;
  std::multiset<long> things;
  std::vector<std::pair<long, long>> unions;
  std::set<long> elements;
};
everything model;
void forget_the_model(pe_id) { model = everything(); }

std::string word(std::size_t n) {
  return (n % 3 == 0 ? "a word that is too long to be short " : "word ") + std::to_string(n);
}
long some_key() { return static_cast<long>(below(200)); }
long some_number() { return static_cast<long>(below(100)); }

using totals_map = map<long, long>;
using most_map = map<std::string, long>;

struct containers_of_all {
  totals_map totals;
  most_map most;
  multimap<long, long> lists;
  set<std::string> seen;
  counting_set<std::string> words;
  counting_set<long> numbers;
  bag<long> things;
  disjoint_sets<long> parts;
};

task<containers_of_all> create_all() {
  containers_of_all all;
  all.totals = co_await create_map<long, long>();
  all.most = co_await create_map<std::string, long>();
  all.lists = co_await create_multimap<long, long>();
  all.seen = co_await create_set<std::string>();
  all.words = co_await create_counting_set<std::string>();
  all.numbers = co_await create_counting_set<long>();
  all.things = co_await create_bag<long>();
  all.parts = co_await create_disjoint_sets<long>();
  co_return all;
}
task<void> end_all(containers_of_all all) {
  co_await all.totals.end();
  co_await all.most.end();
  co_await all.lists.end();
  co_await all.seen.end();
  co_await all.words.end();
  co_await all.numbers.end();
  co_await all.things.end();
  co_await all.parts.end();
}

// ---- verbs

void add(const long&, long& total, long by) { total += by; }

// Adds to this key, and on the way from key to key to some more.
void add_on(const long& key, long& total, long by, totals_map m, long left) {
  total += by;
  if (left > 0) m.past().visit<add_on>((key * 7 + left) % 200, by, m, left - 1);
}
void model_add_on(long key, long by, long left) {
  for (model.totals[key] += by; left > 0; --left) model.totals[key = (key * 7 + left) % 200] += by;
}

remote::sent add_somehow(totals_map m, long key, long by) {
  switch (below(4)) {
    case 0:
      model.totals[key] += by;
      return m.past().reduce(key, by, reduce::plus);
    case 1:
      model.totals[key] += by;
      return m.past().visit_or_insert<add>(key, by, by);
    case 2:
      model.totals[key] += by;
      return m.past().visit(key, [by](const long&, long& total) { total += by; });
    default:
      const auto left = static_cast<long>(below(6));
      model_add_on(key, by, left);
      return m.past().visit<add_on>(key, by, m, left);
  }
}

remote::sent put_somewhere(bag<long> things, long thing) {
  model.things.insert(thing);
  return things.past().insert(static_cast<pe_id>(below(all_pes().size())), thing);
}

remote::sent count_word(counting_set<std::string> words, std::size_t n) {
  // Often the same, and often enough another one of the same place in the table that merges them.
  const std::string key = word(n);
  const auto times = static_cast<std::int64_t>(below(3)) + 1;
  model.words[key] += times;
  return words.insert(key, times);
}

remote::sent count_number(counting_set<long> numbers, long key) {
  ++model.numbers[key];
  return numbers.insert(key);
}

remote::sent unite_some(disjoint_sets<long> parts) {
  const long a = some_key(), b = some_key();
  model.unions.emplace_back(a, b);
  model.elements.insert({a, b});
  return parts.unite(a, b);
}

remote::sent some_verb(containers_of_all c) {
  ++verbs_used;
  const long key = some_key(), by = some_number();
  const std::size_t n = below(200);
  switch (below(10)) {
    case 0:
    case 1:
      return add_somehow(c.totals, key, by);
    case 2: {
      long& most = model.most.try_emplace(word(n), by).first->second;
      most = std::max(most, by);
      return c.most.past().reduce(word(n), by, reduce::max);
    }
    case 3:
      model.lists[key].insert(by);
      return c.lists.past().insert(key, by);
    case 4:
      model.seen.insert(word(n));
      return c.seen.past().insert(word(n));
    case 5:
    case 6:
      return count_word(c.words, below(2) == 0 ? below(2000) : n / 40);
    case 7:
      return count_number(c.numbers, static_cast<long>(below(50)));
    case 8:
      return put_somewhere(c.things, by);
    default:
      return unite_some(c.parts);
  }
}

// Any PE may erase it, and several may.
remote::sent erase_something(containers_of_all c) {
  ++verbs_used;
  const long key = some_key();
  const std::string text = word(static_cast<std::size_t>(key));
  switch (below(4)) {
    case 0:
      model.totals.erase(key);
      return c.totals.past().erase(key);
    case 1:
      model.most.erase(text);
      return c.most.past().erase(text);
    case 2:
      model.lists.erase(key);
      return c.lists.past().erase(key);
    default:
      model.seen.erase(text);
      return c.seen.past().erase(text);
  }
}

// ---- rounds

task<void> use_all(containers_of_all c, std::size_t verbs) {
  for (std::size_t i = 0; i < verbs; ++i) co_await some_verb(c);
}

// What only this PE uses is there when its epoch has ended, though others are still at work, and it has begun outside.
task<void> use_in_an_epoch(containers_of_all c, std::size_t verbs) {
  const long mine = 1000 + this_pe();
  std::int64_t before = model.numbers[mine], came = 0;
  const long total_before = model.totals[mine];
  if (total_before == 0) co_await c.totals.now().insert(mine, 0);
  const auto body = [&]() -> task<void> {
    for (std::size_t i = 0; i < verbs; ++i) {
      co_await some_verb(c);
      if (i != 0 && below(4) != 0) continue;
      co_await count_number(c.numbers, mine);
      ++came;
      model.totals[mine] += 1;
      co_await c.totals.past().visit<add>(mine, 1);
    }
  };
  co_await epoch(body);
  EXPECT_EQ(co_await c.numbers.now().count(mine), before + came) << "an epoch has not waited";
  EXPECT_EQ(co_await c.totals.now().find(mine), total_before + came) << "an epoch has not waited";
}
// What is kept from before an epoch may be late; what is counted in it, though of the same key, is not.
task<void> count_outside_and_inside(containers_of_all c) {
  const auto n = static_cast<long>(2000 + this_pe() + pe_count() * static_cast<long>(below(8)));
  co_await count_number(c.numbers, n);
  const auto body = [&]() -> task<void> {
    for (int i = 0; i < 3; ++i) co_await count_number(c.numbers, n);
  };
  co_await epoch(body);
  EXPECT_GE(co_await c.numbers.now().count(n), model.numbers[n] - 1) << "an epoch has not waited";
}

task<void> erase_some(containers_of_all c, std::size_t verbs) {
  for (std::size_t i = 0; i < verbs; ++i) co_await erase_something(c);
}

// As many of different keys that the table that merges them finds its size, and not as few that all stay in it.
task<void> count_much(containers_of_all c) {
  const std::size_t different = below(2) == 0 ? 6000 : 1200;
  for (std::size_t i = 0; i < 9000; ++i) {
    ++verbs_used;
    co_await count_number(c.numbers, static_cast<long>(10'000 + below(different)));
  }
}

// The keys of a PE are walked while all PEs change their values, and name them again.
task<void> walk(totals_map m) {
  std::vector<long> keys;
  for (const auto& [key, total] : model.totals) keys.push_back(key);
  co_await barrier();
  std::set<long> met;
  for (const auto& [key, total] : m.here()) {
    EXPECT_TRUE(met.insert(key).second) << "a walk has met a key twice";
    const long before = total, other = keys[below(keys.size())];
    model.totals[key] += 2;
    ++model.totals[other];
    verbs_used += 3;
    co_await m.past().visit_if_present(other, [](const long&, long& value) { ++value; });
    EXPECT_FALSE(co_await m.now().insert(other, 77)) << "it is there";
    co_await m.now().visit<add>(key, 2);
    EXPECT_GE(total, before + 2) << "a walk does not see the new value";
  }
  std::size_t wanted = 0;
  for (const long key : keys) wanted += m.home(key) == this_pe() ? 1 : 0;
  EXPECT_EQ(met.size(), wanted);
}

// ---- what there is, beside the model

template <class C, class M, class Same>
void expect_same(C c, const M& wanted, const char* what, Same same) {
  std::size_t here = 0;
  for (const auto& entry : wanted) {
    if (c.home(entry.first) != this_pe()) continue;
    ++here;
    const auto* const found = c.find_here(entry.first);
    EXPECT_TRUE(found != nullptr && same(*found, entry.second)) << what << " of " << entry.first;
  }
  EXPECT_EQ(std::ranges::distance(c.here()), static_cast<std::ptrdiff_t>(here)) << what << ": keys too many";
}
task<void> expect_maps(containers_of_all c) {
  const auto equal = [](long found, long wanted) { return found == wanted; };
  const auto as_many = [](const std::vector<long>& found, const std::multiset<long>& wanted) {
    return std::multiset<long>(found.begin(), found.end()) == wanted;
  };
  expect_same(c.totals, model.totals, "the total", equal);
  expect_same(c.most, model.most, "the most", equal);
  expect_same(c.lists, model.lists, "the values", as_many);
  std::size_t values = 0;
  for (const auto& [key, list] : model.lists) values += list.size();
  EXPECT_EQ(co_await c.lists.size(), values);
  EXPECT_EQ(co_await c.seen.size(), model.seen.size());
  for (const std::string& text : c.seen.here()) EXPECT_TRUE(model.seen.contains(text)) << text;
}

template <class K>
task<void> expect_counts(counting_set<K> c, const std::map<K, std::int64_t>& wanted) {
  std::vector<std::pair<K, std::int64_t>> ranking(wanted.begin(), wanted.end());
  std::int64_t total = 0;
  for (const auto& [key, n] : ranking) total += n;
  EXPECT_EQ(co_await c.size(), ranking.size());
  EXPECT_EQ(co_await c.total(), total);
  std::ranges::stable_sort(ranking, std::greater<>(), [](const auto& of_key) { return of_key.second; });
  ranking.resize(std::min<std::size_t>(ranking.size(), 5));
  EXPECT_EQ(co_await c.top_k(5), ranking);
  for (const auto& [key, n] : c.here()) EXPECT_EQ(c.home(key), this_pe());
  if (wanted.empty()) co_return;
  for (int i = 0; i < 5; ++i) {
    const auto some = std::next(wanted.begin(), static_cast<std::ptrdiff_t>(below(wanted.size())));
    EXPECT_EQ(co_await c.now().count(some->first), some->second) << some->first;
  }
}

// By naming sets anew until each has one name.
std::map<long, long> least_of_sets() {
  std::map<long, long> least;
  for (const long element : model.elements) least[element] = element;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : model.unions) {
      const long low = std::min(least[a], least[b]);
      changed = changed || least[a] != low || least[b] != low;
      least[a] = least[b] = low;
    }
  }
  return least;
}
task<void> expect_parts(disjoint_sets<long> parts, bool to_be_compressed) {
  const std::map<long, long> least = least_of_sets();
  std::size_t sets = 0;
  for (const auto& [element, of_set] : least) sets += element == of_set ? 1 : 0;
  EXPECT_EQ(co_await parts.size(), least.size());
  EXPECT_EQ(co_await parts.count_sets(), sets);
  if (to_be_compressed) {
    co_await parts.compress();
    for (const auto& [element, representative] : parts.here()) {
      EXPECT_EQ(least.at(element), least.at(representative)) << element << " and " << representative;
    }
  }
  for (int i = 0; i < 3 && !least.empty(); ++i) {
    const auto some = std::next(least.begin(), static_cast<std::ptrdiff_t>(below(least.size())));
    const long of_one = co_await parts.find(some->first);
    EXPECT_EQ(co_await parts.find(some->second), of_one);
  }
}

task<void> expect_everything(containers_of_all c, bool finds_roots) {
  co_await quiescence();
  co_await expect_maps(c);
  co_await expect_counts(c.words, model.words);
  co_await expect_counts(c.numbers, model.numbers);
  co_await expect_parts(c.parts, finds_roots);
  std::vector<long> things = co_await c.things.gather();
  std::ranges::sort(things);
  EXPECT_TRUE(this_pe() != 0 || std::ranges::equal(things, model.things)) << "what lies in the bag";
  co_await barrier();
}

// What a round does is the same on all PEs.
task<void> one_round(containers_of_all c, std::uint64_t what) {
  switch (what) {
    case 0:
      co_await erase_some(c, 60);
      break;
    case 1:
      if (!model.totals.empty()) co_await walk(c.totals);
      break;
    case 2:
      co_await use_in_an_epoch(c, 60);
      break;
    case 3:
      co_await use_all(c, 30);
      co_await c.things.balance();
      co_await use_all(c, 30);
      break;
    case 4:
      co_await count_outside_and_inside(c);
      co_await use_all(c, 20);
      break;
    default:
      co_await use_all(c, 100);
  }
}

task<void> rounds(pe_id) {
  const containers_of_all c = co_await create_all();
  co_await use_all(c, 100);
  co_await expect_everything(c, false);
  for (int round = 0; round < 4; ++round) {
    const std::uint64_t what = co_await broadcast(dice() % 6, 0);
    co_await one_round(c, what);
    co_await expect_everything(c, round % 2 == 1);
  }
  co_await end_all(c);
}
TEST(Sums, OfAllContainers) { play_beside_model({rounds}, forget_the_model, 500); }

task<void> much_is_counted(pe_id) {
  const containers_of_all c = co_await create_all();
  co_await count_much(c);
  co_await quiescence();
  co_await expect_counts(c.numbers, model.numbers);
  co_await barrier();  // or another PE already counts on while this one compares
  co_await count_outside_and_inside(c);
  co_await use_all(c, 20);
  co_await expect_everything(c, true);
  co_await end_all(c);
}
TEST(Sums, OfMuchThatIsCounted) { play_beside_model({much_is_counted}, forget_the_model, 20); }

}  // namespace
}  // namespace tsubu::containers_test
