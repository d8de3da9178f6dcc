// A multimap that is spread over the PEs of a job: each key has a home, which keeps all its values.
//
//   auto orders = co_await create_multimap<std::uint64_t, order>();   // by every PE
//   co_await orders.past().insert(customer, o);
//   co_await quiescence();
//   co_await orders.past().visit<ship>(customer, today);                // ship(customer, order&, today) of each order
//   std::vector<order> his = co_await orders.now().find(customer);
//
// The values of a key stand in the order in which they came. In all that is not said here it is as a map (map.hpp).
#pragma once

#include <cstdint>
#include <source_location>
#include <type_traits>
#include <vector>

#include "tsubu/containers/multimap_part.hpp"
#include "tsubu/containers/named_container.hpp"

namespace tsubu {

namespace containers {

// What is done with a multimap's keys, in one of the three times.
// Local; now() blocks until the answer is there, past() only at a co_await and while the network is full, future()
// never; what a visitor throws is thrown at who awaits, and ends the job where nobody does.
template <class K, class V, class Partition, class Time>
class multimap_verbs {
 public:
  multimap_verbs(number which, const Partition& partition) : partition_(partition), which_(which) {}

  // Adds it behind the values of the key. How many the key has then.
  auto insert(const K& key, const V& value) const { return send<multimap_insert<K, V>>(key, value); }
  // All values of the key go. How many there were.
  auto erase(const K& key) const { return send<multimap_erase<K, V>>(key); }

  // F(key, value, arguments...) for each value of the key, one after the other. How many there were.
  template <auto F, class... A>
  auto visit(const K& key, const A&... arguments) const {
    using parameters = typename arguments_of<decltype(F), A...>::type;
    return send<multimap_visit<K, V, named<F>, parameters>>(key, named<F>(), arguments...);
  }
  template <class L, class... A>
    requires remote::travelling_lambda<L>
  auto visit(const K& key, const L& visitor, const A&... arguments) const {
    return send<multimap_visit<K, V, L, std::tuple<A...>>>(key, visitor, arguments...);
  }

  // The values of the key: a vector.
  auto find(const K& key) const
    requires Time::answers
  {
    return send<multimap_find<K, V>>(key);
  }
  // How many values the key has.
  auto count(const K& key) const
    requires Time::answers
  {
    return send<multimap_count<K, V>>(key);
  }

 private:
  template <class Op, class... A>
  [[gnu::always_inline]] auto send(const K& key, const A&... arguments) const {
    return Time::template send<Op>(partition_(key, pe_count()), which_, key, arguments...);
  }

  [[no_unique_address]] Partition partition_;
  number which_;
};

}  // namespace containers

// A multimap's name. It travels, as its bytes. Its size is the number of its values; here() is a range of
// std::pair<K, std::vector<V>>, a key once.
// Local; size() and end() are collective and block until every PE has called them; a multimap that has ended, or that a
// PE has not made, ends the job when it is used, and so does what would move values that are walked.
template <class K, class V, class Partition = by_hash>
class multimap : public containers::named_container<K, containers::multimap_part<K, V>, Partition> {
  static_assert(wire::sendable<V>, "the values of a multimap travel");
  template <class Time>
  using verbs = containers::multimap_verbs<K, V, Partition, Time>;

 public:
  using containers::named_container<K, containers::multimap_part<K, V>, Partition>::named_container;

  // The verbs, in their three times.
  verbs<containers::past_time> past() const { return {this->which_, this->partition_}; }
  verbs<containers::now_time> now() const { return {this->which_, this->partition_}; }
  verbs<containers::future_time> future() const { return {this->which_, this->partition_}; }

  // The values of a key that is on this PE, or null; until the task next waits.
  const std::vector<V>* find_here(const K& key) const { return std::as_const(this->part_()).find(key); }
  // f(key, value) for each value of this PE; f may change it.
  template <class F>
  void for_each_here(F f, std::source_location where = std::source_location::current()) const {
    static_assert(std::is_void_v<std::invoke_result_t<F&, const K&, V&>>, "f gives nothing, and does not wait");
    auto& p = this->part_();
    const containers::walked open(p.table(), p.walked_by, where);
    p.for_each(f);
  }
};

// An empty multimap. `partition(key, pes)` names the home of a key: it gives the same on all PEs.
// Collective; blocks until every PE has called it; more than 65,535 multimaps of a type in a job end it.
template <class K, class V, class Partition = by_hash>
task<multimap<K, V, Partition>> create_multimap(Partition partition = {},
                                                std::source_location where = std::source_location::current()) {
  const containers::number made = co_await containers::make_parts<containers::multimap_part<K, V>>(where);
  co_return multimap<K, V, Partition>(made, partition);
}

}  // namespace tsubu
