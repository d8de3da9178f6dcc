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
#include "tsubu/containers/named_container.hpp"
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
class counting_set : public containers::named_container<K, containers::counting_set_part<K>, Partition> {
  using part = containers::counting_set_part<K>;
  using base = containers::named_container<K, part, Partition>;
  template <class Time>
  using verbs = containers::counting_set_verbs<K, Partition, Time>;

 public:
  using value_type = std::pair<K, std::int64_t>;
  using base::base;

  // The key came n times more; n may be negative. A past message, awaited as one.
  remote::sent insert(containers::view_of<K> key, std::int64_t n = 1) const {
    const std::uint64_t hash = containers::hash_of_key(key);
    const pe_id to = home_of(key, hash);
    part& p = this->part_();
    if (to == this_pe()) {
      p.add(key, hash, n);
    } else if (!p.keep(to, hash, key, n)) {
      send(to, key, n);
    }
    return remote::sent(to);
  }
  verbs<containers::now_time> now() const { return {this->which_, this->partition_}; }
  verbs<containers::future_time> future() const { return {this->which_, this->partition_}; }

  // Collective, and awaited: how often any key came. What is on the way is not seen.
  task<std::int64_t> total(std::source_location where = std::source_location::current()) const {
    return containers::sum_over_pes([*this] { return this->part_().total; }, where);
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
    return base::end(where);
  }

 private:
  pe_id home_of(containers::view_of<K> key, [[maybe_unused]] std::uint64_t hash) const {
    if constexpr (std::same_as<Partition, by_hash>) {
      return containers::home_of_hash(hash, pe_count());
    } else {
      return this->partition_(K(key), pe_count());
    }
  }
  void send(pe_id to, containers::view_of<K> key, std::int64_t n) const {
    using namespace containers;
    if (n == 1) {
      static_cast<void>(past_time::send<count_once<K>>(to, this->which_, K(key)));
    } else {
      static_cast<void>(past_time::send<count_often<K>>(to, this->which_, K(key), n));
    }
  }
};

// An empty counting set. `partition(key, pes)` names the home of a key: it gives the same on all PEs.
// Collective; blocks until every PE has called it; more than 65,535 counting sets of a type in a job end it.
template <class K, class Partition = by_hash>
task<counting_set<K, Partition>> create_counting_set(Partition partition = {},
                                                     std::source_location where = std::source_location::current()) {
  using part = containers::counting_set_part<K>;
  const containers::number made = co_await containers::make_parts<part>(where);
  containers::part_here<part>(made).is_number(made);
  co_return counting_set<K, Partition>(made, partition);
}

}  // namespace tsubu
