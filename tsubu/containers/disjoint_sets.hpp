// Disjoint sets that are spread over the PEs of a job: which elements are of one set, as far as has been said.
//
//   auto parts = co_await create_disjoint_sets<std::uint64_t>();        // by every PE
//   for (const edge& e : mine) co_await parts.unite(e.from, e.to);      // past, and in no order
//   co_await quiescence();
//   co_await parts.compress();                                          // by every PE
//   std::size_t components = co_await parts.count_sets();
//   for (const auto& [vertex, representative] : parts.here()) ...
//
// Each element has a home, as the keys of a map. A set has a representative, one of its elements: after the same unions
// the same one, in whatever order they were said.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/containers/disjoint_sets_part.hpp"
#include "tsubu/containers/named_container.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu {

// The name of disjoint sets. It travels, as its bytes. Its size is the number of elements.
// Local; the collectives block until every PE has called them; what has ended, or what a PE has not made, ends the job
// when it is used, and so does a new element of a part that is walked.
template <class K, class Partition = by_hash>
class disjoint_sets : public containers::named_container<K, containers::disjoint_part<K>, Partition> {
  using link = containers::disjoint_link<K, Partition>;
  using climb = containers::disjoint_climb<K, Partition>;

 public:
  using containers::named_container<K, containers::disjoint_part<K>, Partition>::named_container;

  // The sets of both become one. Both are elements from then on. A past message, and some more behind it.
  remote::sent unite(const K& a, const K& b) const {
    const bool in_order = containers::comes_before(a, b);
    const K &u = in_order ? a : b, &v = in_order ? b : a;
    return containers::past_time::send<containers::disjoint_unite<K, Partition>>(this->home(v), this->which_, v, u,
                                                                                 this->partition_);
  }
  // It is an element from then on: by itself, unless more is said of it. A past message.
  remote::sent insert(const K& element) const {
    return containers::past_time::send<containers::disjoint_insert<K>>(this->home(element), this->which_, element);
  }
  // The representative of its set, as far as unions have been executed; itself if it is no element. Awaited: a round
  // trip for each PE on the way, so at most two behind compress().
  task<K> find(K element) const { return find_from(*this, std::move(element)); }

  // Collective, and awaited: each element's parent is its representative afterwards, so here() tells it. Nobody unites
  // meanwhile.
  task<void> compress(std::source_location where = std::source_location::current()) const {
    return compress_all(*this, where);
  }
  // Collective, and awaited: how many sets there are. What is past and has not run is not seen.
  task<std::size_t> count_sets(std::source_location where = std::source_location::current()) const {
    return containers::sum_over_pes([*this] { return roots_here(); }, where);
  }

 private:
  std::size_t roots_here() const {
    std::size_t roots = 0;
    for (const auto& [element, parent] : this->part_().table()) roots += element == parent ? 1 : 0;
    return roots;
  }
  auto climb_from(const K& element) const {
    return containers::future_time::send<climb>(this->home(element), this->which_, element, this->partition_);
  }
  static task<K> find_from(disjoint_sets sets, K element) {
    for (;;) {
      future<std::optional<K>> answer = sets.climb_from(element);
      std::optional<K> above = co_await std::move(answer);
      if (!above.has_value() || *above == element) co_return element;
      element = std::move(*above);
    }
  }
  static task<void> compress_all(disjoint_sets sets, std::source_location where) {
    co_await barrier(where);
    for (bool all_done = false; !all_done;) {
      const bool changed = co_await climb_here(sets);
      all_done = co_await all_reduce(changed ? 1 : 0, reduce::max, where) == 0;
    }
  }
  // Parents become their parents, or what is above these on their PEs; each is asked for once. Whether any changed.
  static task<bool> climb_here(disjoint_sets sets) {
    tsl::robin_map<K, K, containers::table_hash> above;
    for (const auto& [element, parent] : sets.part_().table()) {
      if (parent != element) above.try_emplace(parent, parent);
    }
    std::vector<K> parents;
    parents.reserve(above.size());
    for (const auto& of_parent : above) parents.push_back(of_parent.first);
    for (std::size_t done = 0; done < parents.size(); done += asked_together) {
      const std::size_t end = std::min(done + asked_together, parents.size());
      std::vector<future<std::optional<K>>> answers;
      for (std::size_t i = done; i < end; ++i) answers.push_back(sets.climb_from(parents[i]));
      for (std::size_t i = done; i < end; ++i) {
        std::optional<K> answer = co_await std::move(answers[i - done]);
        above.find(parents[i]).value() = std::move(answer).value();
      }
    }
    bool changed = false;
    const auto climb_to = [&](const K&, K& parent) {
      const auto found = above.find(parent);
      if (found == above.end() || found->second == parent) return;
      parent = found->second;
      changed = true;
    };
    sets.part_().for_each(climb_to);
    co_return changed;
  }

  static constexpr std::size_t asked_together = 4'096;
};

// No sets. `partition(element, pes)` names the home of an element: it gives the same on all PEs.
// Collective; blocks until every PE has called it; more than 65,535 disjoint sets of a type in a job end it.
template <class K, class Partition = by_hash>
task<disjoint_sets<K, Partition>> create_disjoint_sets(Partition partition = {},
                                                       std::source_location where = std::source_location::current()) {
  const containers::number made = co_await containers::make_parts<containers::disjoint_part<K>>(where);
  co_return disjoint_sets<K, Partition>(made, partition);
}

}  // namespace tsubu
