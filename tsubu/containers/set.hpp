// A set that is spread over the PEs of a job: each key has a home, which knows whether it is there.
//
//   auto seen = co_await create_set<std::uint64_t>();     // by every PE
//   co_await seen.past().insert(page);
//   bool fresh = co_await seen.now().insert(page);
//   std::size_t pages = co_await seen.size();             // of all PEs, behind quiescence()
//
// In all that is not said here it is as a map (map.hpp).
#pragma once

#include <cstdint>
#include <source_location>

#include "tsubu/containers/named_container.hpp"
#include "tsubu/containers/set_part.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

// What is done with a set's keys, in one of the three times.
// Local; now() blocks until the answer is there, past() only at a co_await and while the network is full, future()
// never; what ends the job is said of set.
template <class K, class Partition, class Time>
class set_verbs {
 public:
  set_verbs(number which, const Partition& partition) : partition_(partition), which_(which) {}

  // Whether the key was not there.
  auto insert(const K& key) const { return send<set_insert<K>>(key); }
  // Whether the key was there.
  auto erase(const K& key) const { return send<set_erase<K>>(key); }
  // Whether the key is there.
  auto contains(const K& key) const
    requires Time::answers
  {
    return send<set_contains<K>>(key);
  }

 private:
  template <class Op>
  [[gnu::always_inline]] auto send(const K& key) const {
    return Time::template send<Op>(partition_(key, pe_count()), which_, key);
  }

  [[no_unique_address]] Partition partition_;
  number which_;
};

}  // namespace containers

// A set's name. It travels, as its bytes.
// Local; size() and end() are collective and block until every PE has called them; a set that has ended, or that a PE
// has not made, ends the job when it is used, and so does what would move keys that are walked.
template <class K, class Partition = by_hash>
class set : public containers::named_container<K, containers::set_part<K>, Partition> {
  template <class Time>
  using verbs = containers::set_verbs<K, Partition, Time>;

 public:
  using containers::named_container<K, containers::set_part<K>, Partition>::named_container;

  // The verbs, in their three times.
  verbs<containers::past_time> past() const { return {this->which_, this->partition_}; }
  verbs<containers::now_time> now() const { return {this->which_, this->partition_}; }
  verbs<containers::future_time> future() const { return {this->which_, this->partition_}; }

  // Whether this PE has the key.
  bool contains_here(const K& key) const { return this->part_().contains(key); }
};

// An empty set. `partition(key, pes)` names the home of a key: it gives the same on all PEs.
// Collective; blocks until every PE has called it; more than 65,535 sets of a type in a job end it.
template <class K, class Partition = by_hash>
task<set<K, Partition>> create_set(Partition partition = {},
                                   std::source_location where = std::source_location::current()) {
  const containers::number made = co_await containers::make_parts<containers::set_part<K>>(where);
  co_return set<K, Partition>(made, partition);
}

}  // namespace tsubu
