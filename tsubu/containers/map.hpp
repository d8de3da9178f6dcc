// A map that is spread over the PEs of a job: each key has a home, which keeps its value.
//
//   auto ages = co_await create_map<std::string, int>();           // by every PE
//   co_await ages.past().insert("Ann", 41);                         // no answer; held back by a full network
//   std::optional<int> age = co_await ages.now().find("Ann");
//   co_await ages.past().visit<birthday>("Ann", 1);   // void birthday(const std::string&, int& age, int years)
//   bool was_there = co_await ages.now().erase("Ann");
//   co_await quiescence();                             // what is past has run
//   for (const auto& [name, age] : ages.here()) ...    // of this PE
//
// The map is a name of a few bytes: it travels, and a visitor on another PE may visit on. Verbs run at the home of
// their key one after the other; those of one PE for one key in the order in which they were sent.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <utility>

#include "tsubu/containers/map_part.hpp"
#include "tsubu/containers/named_container.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

// What is done with a map's keys, in one of the three times: past() drops the result, now() waits for it, future()
// takes it later.
// Local; now() blocks until the answer is there, past() only at a co_await and while the network is full, future()
// never; what a visitor throws is thrown at who awaits, and ends the job where nobody does.
template <class K, class V, class Partition, class Time>
class map_verbs {
 public:
  map_verbs(number which, const Partition& partition) : partition_(partition), which_(which) {}

  // Adds it, unless the key is there. Whether it was not.
  auto insert(const K& key, const V& value) const { return send<map_insert<K, V>>(key, value); }
  // Adds it, or puts it in the place of what is there. Whether the key was not.
  auto insert_or_assign(const K& key, const V& value) const { return send<map_insert_or_assign<K, V>>(key, value); }
  // Adds it, or makes the value op(value, by). Whether the key was not there.
  template <class Op>
    requires reduce::is_op<Op>
  auto reduce(const K& key, const V& by, Op) const {
    return send<map_reduce<K, V, Op>>(key, by);
  }
  // Whether the key was there.
  auto erase(const K& key) const { return send<map_erase<K, V>>(key); }

  // F(key, value, arguments...), of a value that is made as V() if the key is not there. What F gives.
  template <auto F, class... A>
  auto visit(const K& key, const A&... arguments) const {
    return send<map_visit<K, V, named<F>, arguments_for<F, A...>>>(key, named<F>(), arguments...);
  }
  template <class L, class... A>
    requires remote::travelling_lambda<L>
  auto visit(const K& key, const L& visitor, const A&... arguments) const {
    return send<map_visit<K, V, L, std::tuple<A...>>>(key, visitor, arguments...);
  }
  // The same, of a key that is there; else nothing is done. An optional of what F gives; of a void F, whether it was.
  template <auto F, class... A>
  auto visit_if_present(const K& key, const A&... arguments) const {
    return send<map_visit_if_present<K, V, named<F>, arguments_for<F, A...>>>(key, named<F>(), arguments...);
  }
  template <class L, class... A>
    requires remote::travelling_lambda<L>
  auto visit_if_present(const K& key, const L& visitor, const A&... arguments) const {
    return send<map_visit_if_present<K, V, L, std::tuple<A...>>>(key, visitor, arguments...);
  }
  // F(key, value, arguments...) of a key that is there; else the given value is inserted. Whether it was inserted.
  template <auto F, class... A>
  auto visit_or_insert(const K& key, const V& value, const A&... arguments) const {
    return send<map_visit_or_insert<K, V, named<F>, arguments_for<F, A...>>>(key, value, named<F>(), arguments...);
  }
  template <class L, class... A>
    requires remote::travelling_lambda<L>
  auto visit_or_insert(const K& key, const V& value, const L& visitor, const A&... arguments) const {
    return send<map_visit_or_insert<K, V, L, std::tuple<A...>>>(key, value, visitor, arguments...);
  }

  // The value, if the key is there: an optional.
  auto find(const K& key) const
    requires Time::answers
  {
    return send<map_find<K, V>>(key);
  }
  // Whether the key is there.
  auto contains(const K& key) const
    requires Time::answers
  {
    return send<map_contains<K, V>>(key);
  }

 private:
  template <auto F, class... A>
  using arguments_for = typename arguments_of<decltype(F), A...>::type;

  template <class Op, class... A>
  [[gnu::always_inline]] auto send(const K& key, const A&... arguments) const {
    return Time::template send<Op>(partition_(key, pe_count()), which_, key, arguments...);
  }

  [[no_unique_address]] Partition partition_;
  number which_;
};

}  // namespace containers

// A map's name. It travels, as its bytes. here() is a range of std::pair<K, V>.
// Local; size() and end() are collective and block until every PE has called them; a map that has ended, or that a PE
// has not made, ends the job when it is used, and so does what would move elements that are walked.
template <class K, class V, class Partition = by_hash>
class map : public containers::named_container<K, containers::map_part<K, V>, Partition> {
  static_assert(wire::sendable<V>, "the values of a map travel");
  template <class Time>
  using verbs = containers::map_verbs<K, V, Partition, Time>;

 public:
  using containers::named_container<K, containers::map_part<K, V>, Partition>::named_container;

  // The verbs, in their three times.
  verbs<containers::past_time> past() const { return {this->which_, this->partition_}; }
  verbs<containers::now_time> now() const { return {this->which_, this->partition_}; }
  verbs<containers::future_time> future() const { return {this->which_, this->partition_}; }

  // The value of a key that is on this PE, or null; until the task next waits.
  const V* find_here(const K& key) const { return std::as_const(this->part_()).find(key); }
  // f(key, value) for each of this PE; f may change the value.
  template <class F>
  void for_each_here(F f, std::source_location where = std::source_location::current()) const {
    static_assert(std::is_void_v<std::invoke_result_t<F&, const K&, V&>>, "f gives nothing, and does not wait");
    auto& p = this->part_();
    const containers::walked open(p.table(), p.walked_by, where);
    p.for_each(f);
  }
};

// An empty map. `partition(key, pes)` names the home of a key: it gives the same on all PEs.
// Collective; blocks until every PE has called it; more than 65,535 maps of a type in a job end it.
template <class K, class V, class Partition = by_hash>
task<map<K, V, Partition>> create_map(Partition partition = {},
                                      std::source_location where = std::source_location::current()) {
  const containers::number made = co_await containers::make_parts<containers::map_part<K, V>>(where);
  co_return map<K, V, Partition>(made, partition);
}

}  // namespace tsubu
