// How often each key came, on all PEs together.
//
//   auto words = co_await create_counting_set<std::string>();           // by every PE
//   for (std::string_view word : text) co_await words.insert(word);
//   co_await quiescence();
//   for (const auto& [word, n] : co_await words.top_k(10)) ...           // the same on all PEs
//   std::int64_t n = co_await words.now().count("grain");
//
// Keys that repeat on a PE are merged before they leave it, if that is worth its while (merge_cache.hpp); and those
// whose home is the own PE are counted on the spot. So an insertion is in no order with other messages; quiescence and
// the end of its epoch come behind it. In all that is not said here it is as a map (map.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/containers/counting_set_part.hpp"
#include "tsubu/containers/top_k.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

// What is asked of a counting set, in one of two times.
// Local; now() blocks until the answer is there; what ends the job is said of counting_set.
template <class K, class Partition, class Time>
class counting_set_verbs {
 public:
  counting_set_verbs(number which, const Partition& partition) : partition_(partition), which_(which) {}

  // How often the key came, as far as that has arrived at its home.
  auto count(const K& key) const { return Time::template send<how_often<K>>(partition_(key, pe_count()), which_, key); }

 private:
  [[no_unique_address]] Partition partition_;
  number which_;
};

}  // namespace containers

// A counting set's name. It travels, as its bytes.
// Local; insert() blocks only at a co_await and while the network is full; size(), total(), top_k() and end() are
// collective and block until every PE has called them; a set that has ended, or that a PE has not made, ends the job
// when it is used, and so does a new key while its home is walked.
template <class K, class Partition = by_hash>
class counting_set {
  static_assert(wire::sendable<K>, "the keys of a counting set travel");
  static_assert(wire::plain<Partition>, "what names the homes of keys is trivially copyable: it travels with the name");
  using part = containers::counting_set_part<K>;

 public:
  using value_type = std::pair<K, std::int64_t>;

  counting_set() = default;
  counting_set(containers::number which, const Partition& partition) : partition_(partition), which_(which) {}

  // The key came n times more; n may be negative. A past message, awaited as one.
  remote::sent insert(containers::view_of<K> key, std::int64_t n = 1) const {
    const std::uint64_t hash = containers::hash_of_key(key);
    const pe_id to = home_of(key, hash);
    part& p = here_();
    if (to == this_pe()) {
      p.add(key, hash, n);
    } else if (!p.kept.keep(to, hash, key, n)) {
      send(to, key, n);
    }
    return remote::sent(to);
  }
  containers::counting_set_verbs<K, Partition, containers::now_time> now() const { return {which_, partition_}; }
  containers::counting_set_verbs<K, Partition, containers::future_time> future() const { return {which_, partition_}; }

  // The PE that has the key, if any has it.
  pe_id home(const K& key) const { return partition_(key, pe_count()); }
  // How many different keys this PE has.
  std::size_t size_here() const { return here_().counts.table().size(); }
  // The keys of this PE, each with its count: a range of std::pair<K, std::int64_t>. As long as it lives, no new key
  // may come on this PE.
  auto here(std::source_location where = std::source_location::current()) const {
    part& p = here_();
    return containers::walked(p.counts.table(), p.walked_by, where);
  }

  // Collective, and awaited: how many different keys all PEs have; how often any came. What is on the way is not seen.
  task<std::size_t> size(std::source_location where = std::source_location::current()) const {
    return containers::sum_over_pes([*this] { return size_here(); }, where);
  }
  task<std::int64_t> total(std::source_location where = std::source_location::current()) const {
    return containers::sum_over_pes([*this] { return here_().total; }, where);
  }
  // Collective, and awaited: the k keys that came most often with their counts, most frequent first; those that came
  // equally often in the order of the keys. The same on every PE.
  task<std::vector<value_type>> top_k(std::size_t k,
                                      std::source_location where = std::source_location::current()) const {
    const auto more_frequent = [](const value_type& a, const value_type& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    };
    return tsubu::top_k(*this, k, more_frequent, where);
  }
  // Collective, and awaited. Nobody uses the set meanwhile, or afterwards.
  task<void> end(std::source_location where = std::source_location::current()) const {
    flush();  // what is kept leaves while there is a set
    return containers::end_parts<part>(which_, where);
  }

 private:
  part& here_() const { return containers::part_here<part>(which_); }

  pe_id home_of(containers::view_of<K> key, [[maybe_unused]] std::uint64_t hash) const {
    if constexpr (std::same_as<Partition, by_hash>) {
      return containers::home_of_hash(hash, pe_count());
    } else {
      return partition_(K(key), pe_count());
    }
  }
  void send(pe_id to, containers::view_of<K> key, std::int64_t n) const {
    using namespace containers;
    if (n == 1) {
      static_cast<void>(past_time::send<count_once<K>>(to, which_, K(key)));
    } else {
      static_cast<void>(past_time::send<count_often<K>>(to, which_, K(key), n));
    }
  }

  [[no_unique_address]] Partition partition_{};
  containers::number which_ = 0;
};

// An empty counting set. `partition(key, pes)` names the home of a key: it gives the same on all PEs.
// Collective; blocks until every PE has called it; more than 65,535 counting sets of a type in a job end it.
template <class K, class Partition = by_hash>
task<counting_set<K, Partition>> create_counting_set(Partition partition = {},
                                                     std::source_location where = std::source_location::current()) {
  using part = containers::counting_set_part<K>;
  const containers::number made = co_await containers::make_parts<part>(where);
  containers::part_here<part>(made).kept.which = made;
  co_return counting_set<K, Partition>(made, partition);
}

}  // namespace tsubu
