// Promise: of a map, a multimap and a set, each key is used by one verb after the other: an order of all verbs, in
// which those of a PE stand as they were sent, explains each answer and what there is at the end; also where a visitor
// has sent them. Method: random verbs of all PEs for few keys, in the three times; then a search for such an order, key
// by key, with std::optional, std::vector and bool as the model.
#include <gtest/gtest.h>

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "tests/containers/model_job.hpp"
#include "tests/containers/some_order.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/remote/memory/parts.hpp"
#include "tsubu/task/when_all.hpp"

namespace tsubu::containers_test {
namespace {

using namespace test;

// ---- what the PEs have sent and heard

std::vector<key_history> histories;  // of each key
std::int64_t events = 0;

void forget_all(pe_id pes) {
  histories.assign(20, key_history(static_cast<std::size_t>(pes)));
  events = 0;
}

// Where an answer belongs.
struct asked {
  std::size_t key, pe, at;
  void hears(answer said) const {
    sent_verb& verb = histories[key][pe][at];
    verb.said = std::move(said);
    verb.returned = ++events;
  }
};
// This PE sends it now.
asked note(std::size_t key, int what, long by) {
  std::vector<sent_verb>& mine = histories[key][pe_index(this_pe())];
  mine.push_back({what, by, ++events, sent_verb::never, std::nullopt});
  ++verbs_used;
  return {key, pe_index(this_pe()), mine.size() - 1};
}

answer answer_of(const std::optional<long>& value) { return value.has_value() ? answer{*value} : answer{}; }
answer answer_of(const std::vector<long>& values) { return values; }
template <std::integral T>
answer answer_of(T number) {
  return {static_cast<long>(number)};
}
template <class T>
task<void> hear(future<T> later, asked by_whom) {
  const T said = co_await std::move(later);
  by_whom.hears(answer_of(said));
}

template <class K>
K name_of(std::size_t n) {
  if constexpr (std::is_same_v<K, std::string>) {
    return (n % 2 == 0 ? "key " : "key that is too long to be short ") + std::to_string(n);
  } else {
    return static_cast<K>(n);
  }
}

// Small, so that a search has few states.
template <class K>
long mix_in(const K&, long& value, long by) {
  return value = (3 * value + by) % 5;
}

// ---- a map

struct map_model {
  enum { assign, insert, visit, reduce, visit_or_insert, erase, visit_on, visit_if_present, find, contains, verbs };
  using state = std::optional<long>;
  static answer apply(state& value, const sent_verb& verb) {
    const bool there = value.has_value();
    switch (verb.what) {
      case assign:
        value = verb.by;
        return {!there};
      case insert:
        if (!there) value = verb.by;
        return {!there};
      case visit:
      case visit_on:
        value = (3 * value.value_or(0) + verb.by) % 5;
        return {*value};
      case reduce:
        value = there ? std::max(*value, verb.by) : verb.by;
        return {!there};
      case visit_or_insert:
        value = there ? (3 * *value + verb.by) % 5 : verb.by;
        return {!there};
      case erase:
        value.reset();
        return {there};
      case visit_if_present:
        if (there) value = (3 * *value + verb.by) % 5;
        return answer_of(value);
      case find:
        return answer_of(value);
      default:
        return {there};
    }
  }
};

template <class M>
struct map_user {
  using key_type = std::decay_t<decltype(std::declval<M>().here().begin()->first)>;
  using m = map_model;
  M map;

  // What a visitor does on the home of its key: a verb for another one.
  static long visit_on(const key_type& key, long& value, long by, M in, std::size_t other, int what) {
    map_user{in}.tell(other, what, by);
    return mix_in(key, value, by);
  }
  remote::sent tell(std::size_t n, int what, long by) const {
    const key_type key = name_of<key_type>(n);
    note(n, what, by);
    switch (what) {
      case m::assign:
        return map.past().insert_or_assign(key, by);
      case m::insert:
        return map.past().insert(key, by);
      case m::visit:
        return map.past().visit(key, [](const key_type& k, long& v, long x) { mix_in(k, v, x); }, by);
      case m::reduce:
        return map.past().reduce(key, by, reduce::max);
      case m::visit_or_insert:
        return map.past().template visit_or_insert<mix_in<key_type>>(key, by, by);
      case m::visit_if_present:
        return map.past().template visit_if_present<mix_in<key_type>>(key, by);
      case m::visit_on:
        return map.past().template visit<visit_on>(key, by, map, below(20), static_cast<int>(below(m::visit_on)));
      default:
        histories[n][pe_index(this_pe())].back().what = m::erase;
        return map.past().erase(key);
    }
  }
  // Sent now, and heard when it is awaited.
  task<void> ask(std::size_t n, int what, long by) const {
    const key_type key = name_of<key_type>(n);
    const asked me = note(n, what, by);
    const auto in = map.future();
    switch (what) {
      case m::assign:
        return hear(in.insert_or_assign(key, by), me);
      case m::insert:
        return hear(in.insert(key, by), me);
      case m::visit:
        return hear(in.template visit<mix_in<key_type>>(key, by), me);
      case m::reduce:
        return hear(in.reduce(key, by, reduce::max), me);
      case m::visit_or_insert:
        return hear(in.template visit_or_insert<mix_in<key_type>>(key, by, by), me);
      case m::visit_if_present:
        return hear(in.template visit_if_present<mix_in<key_type>>(key, by), me);
      case m::visit_on:
        return hear(in.template visit<visit_on>(key, by, map, below(20), static_cast<int>(below(m::visit_on))), me);
      case m::erase:
        return hear(in.erase(key), me);
      case m::find:
        return hear(in.find(key), me);
      default:
        return hear(in.contains(key), me);
    }
  }
};

// ---- a multimap

struct multimap_model {
  enum { insert, insert_again, visit, find, count, erase, verbs };
  using state = std::vector<long>;
  static answer apply(state& values, const sent_verb& verb) {
    const auto size = static_cast<long>(values.size());
    switch (verb.what) {
      case insert:
      case insert_again:
        values.push_back(verb.by % 2);
        return {size + 1};
      case visit:
        for (long& value : values) value = (3 * value + verb.by) % 5;
        return {size};
      case find:
        return values;
      case count:
        return {size};
      default:
        values.clear();
        return {size};
    }
  }
};

struct multimap_user {
  using m = multimap_model;
  multimap<long, long> map;

  remote::sent tell(std::size_t n, int what, long by) const {
    const long key = name_of<long>(n);
    if (what == m::find || what == m::count) what = m::insert;
    note(n, what, by);
    switch (what) {
      case m::visit:
        return map.past().visit(key, [](const long& k, long& v, long x) { mix_in(k, v, x); }, by);
      case m::erase:
        return map.past().erase(key);
      default:
        return map.past().insert(key, by % 2);
    }
  }
  task<void> ask(std::size_t n, int what, long by) const {
    const long key = name_of<long>(n);
    const asked me = note(n, what, by);
    const auto in = map.future();
    switch (what) {
      case m::visit:
        return hear(in.visit(key, [](const long& k, long& v, long x) { mix_in(k, v, x); }, by), me);
      case m::find:
        return hear(in.find(key), me);
      case m::count:
        return hear(in.count(key), me);
      case m::erase:
        return hear(in.erase(key), me);
      default:
        return hear(in.insert(key, by % 2), me);
    }
  }
};

// ---- a set

struct set_model {
  enum { insert, erase, contains, verbs };
  using state = bool;
  static answer apply(state& there, const sent_verb& verb) {
    const bool before = there;
    if (verb.what == insert) there = true;
    if (verb.what == erase) there = false;
    return {verb.what == insert ? !before : before};
  }
};

struct set_user {
  using m = set_model;
  set<std::string> keys;

  remote::sent tell(std::size_t n, int what, long by) const {
    if (what == m::contains) what = m::insert;
    note(n, what, by);
    return what == m::insert ? keys.past().insert(name_of<std::string>(n)) : keys.past().erase(name_of<std::string>(n));
  }
  task<void> ask(std::size_t n, int what, long by) const {
    const std::string key = name_of<std::string>(n);
    const asked me = note(n, what, by);
    if (what == m::insert) return hear(keys.future().insert(key), me);
    if (what == m::erase) return hear(keys.future().erase(key), me);
    return hear(keys.future().contains(key), me);
  }
};

// ---- programs

// Some of the verbs are on the way together.
template <class User>
task<void> use(User user, std::size_t keys, std::size_t verbs) {
  std::vector<task<void>> open;
  for (std::size_t i = 0; i < verbs; ++i) {
    const std::size_t key = below(keys);
    const int what = static_cast<int>(below(User::m::verbs));
    const auto by = static_cast<long>(below(5));
    if (below(2) == 0) {
      co_await user.tell(key, what, by);
    } else {
      open.push_back(user.ask(key, what, by));
    }
    if (below(3) != 0) {
      for (task<void>& one : open) co_await std::move(one);
      open.clear();
    }
  }
  for (task<void>& one : open) co_await std::move(one);
}

template <class User>
task<void> use_beside_each_other(User user) {
  std::vector<task<void>> all;
  for (int i = 0; i < 2; ++i) all.push_back(use(user, 20, 40));
  co_await when_all(std::move(all));
  co_await quiescence();
}

template <class Model>
void expect_some_order(std::size_t key, const typename Model::state& last) {
  EXPECT_TRUE(order_search<Model>(histories[key]).finds(last)) << "no order explains key " << key;
}

template <class M>
task<void> check_map(M m) {
  using user = map_user<M>;
  co_await use_beside_each_other(user{m});
  std::size_t found = 0;
  for (std::size_t key = pe_index(this_pe()); key < 20; key += all_pes().size()) {
    const std::optional<long> last = co_await m.now().find(name_of<typename user::key_type>(key));
    found += last.has_value() ? 1 : 0;
    expect_some_order<map_model>(key, last);
  }
  EXPECT_EQ(co_await m.size(), co_await all_reduce(found, reduce::plus));
  co_await m.end();
}
task<void> map_by_hash(pe_id) {
  auto m = co_await create_map<std::string, long>();
  co_await check_map(m);
}
task<void> map_by_function(pe_id) {
  const auto home = [](long key, pe_id pes) { return key % 3 == 0 ? 0 : pes - 1; };
  auto m = co_await create_map<long, long>(home);
  co_await check_map(m);
}
TEST(Orders, OfAMap) { play_beside_model({map_by_hash, map_by_function}, forget_all, 1500); }

task<void> one_multimap(pe_id) {
  auto m = co_await create_multimap<long, long>();
  co_await use_beside_each_other(multimap_user{m});
  std::size_t found = 0;
  for (std::size_t key = pe_index(this_pe()); key < 20; key += all_pes().size()) {
    const std::vector<long> last = co_await m.now().find(name_of<long>(key));
    found += last.size();
    expect_some_order<multimap_model>(key, last);
  }
  EXPECT_EQ(co_await m.size(), co_await all_reduce(found, reduce::plus));
  co_await m.end();
}
TEST(Orders, OfAMultimap) { play_beside_model({one_multimap}, forget_all, 800); }

task<void> one_set(pe_id) {
  auto s = co_await create_set<std::string>();
  co_await use_beside_each_other(set_user{s});
  std::size_t found = 0;
  for (std::size_t key = pe_index(this_pe()); key < 20; key += all_pes().size()) {
    const bool last = co_await s.now().contains(name_of<std::string>(key));
    found += last ? 1 : 0;
    expect_some_order<set_model>(key, last);
  }
  EXPECT_EQ(co_await s.size(), co_await all_reduce(found, reduce::plus));
  co_await s.end();
}
TEST(Orders, OfASet) { play_beside_model({one_set}, forget_all, 800); }

// The search itself.
TEST(Orders, AreNotFoundWhereThereAreNone) {
  using m = set_model;
  key_history two{{{m::insert, 0, 1, 2, answer{1}}}, {{m::contains, 0, 3, 4, answer{0}}}};
  EXPECT_FALSE(order_search<m>(two).finds(true)) << "it was answered before the other one was sent";
  two[1][0].called = 0;
  EXPECT_TRUE(order_search<m>(two).finds(true));
  EXPECT_FALSE(order_search<m>(two).finds(false)) << "it is gone";
  const key_history one{{{m::insert, 0, 1, sent_verb::never, std::nullopt}, {m::erase, 0, 2, sent_verb::never, {}}}};
  EXPECT_FALSE(order_search<m>(one).finds(true)) << "a PE's are in order";
}

}  // namespace
}  // namespace tsubu::containers_test
