// Things that lie wherever they were put, in no order: what a program finds on each PE and has to deal out later.
//
//   auto found = co_await create_bag<record>();           // by every PE
//   found.insert(r);                                       // here: no message
//   co_await found.past().insert(3, r);                    // on PE 3
//   co_await found.balance();                              // by every PE: then all have about as many
//   for (const record& r : found.here()) ...
//   std::vector<record> all = co_await found.gather();     // on PE 0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/base/blocks.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/containers/operation.hpp"
#include "tsubu/containers/saving/save.hpp"
#include "tsubu/containers/saving/saved_type.hpp"
#include "tsubu/containers/sort.hpp"
#include "tsubu/containers/walk.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

namespace containers {

template <class T>
class bag_part {
 public:
  const std::vector<T>& elements() const { return elements_; }
  std::size_t size() const { return elements_.size(); }
  // ---- told by --tsubu-stats: account.hpp
  static constexpr bool counts_by_key = false;
  std::size_t table_bytes() const { return elements_.capacity() * sizeof(T); }
  // ---- kept and brought back: saving/kept_container.hpp
  using element_type = T;
  static std::string saved_as() { return "bag of " + saved_type<T>::name(); }
  void bring_back(element_type&& e) { insert(std::move(e)); }

  void insert(T&& element) {
    check_not_walked("an element comes");
    elements_.push_back(std::move(element));
  }
  // Those of which gone(element) is true go; how many. The others keep their order.
  template <class F>
  std::size_t erase_if(F& gone, std::source_location where) {
    check_not_walked("its elements change");
    const walked open(elements_, walked_by, where);
    return static_cast<std::size_t>(std::erase_if(elements_, [&gone](const T& element) { return gone(element); }));
  }
  std::vector<T> take_all() {
    check_not_walked("its elements change");
    return std::exchange(elements_, {});
  }
  // In front of what has come since.
  void put_back(std::vector<T> elements) {
    check_not_walked("its elements change");
    std::ranges::move(elements_, std::back_inserter(elements));
    elements_ = std::move(elements);
  }

  walks walked_by;

 private:
  void check_not_walked(const char* what) const {
    if (walked_by.any()) [[unlikely]]
      walked_by.refuse(what);
  }
  std::vector<T> elements_;
};

template <class T>
struct bag_insert {
  static void run(number which, T element) { part_here<bag_part<T>>(which).insert(std::move(element)); }
  static const void* looks_at(number, const T&) { return nullptr; }
};

// Where an element of a bag is brought back: on the PE that had it, if there are as many; else all are dealt evenly.
// In any case they stay in the order of gather().
struct home_in_bag {
  template <class T>
  pe_id operator()(const T&, const saved_place& place) const {
    const auto pes = static_cast<std::size_t>(pe_count());
    return static_cast<pe_id>(place.parts == pes ? place.part : tsubu::detail::block_owner(place.all, pes, place.at));
  }
};

// PE p's share of all elements, in the order of the PEs, is what by_block() would give it; these are cut from what this
// PE has, whose first one has the number `first` of `all`.
template <class T>
std::vector<std::vector<T>> cut_for_pes(const std::vector<T>& mine, std::size_t first, std::size_t all,
                                        std::size_t pes) {
  std::vector<std::vector<T>> cut(pes);
  for (std::size_t at = 0; at < mine.size();) {
    const std::size_t pe = tsubu::detail::block_owner(all, pes, first + at);
    const std::size_t end = std::min(mine.size(), tsubu::detail::block_begin(all, pes, pe + 1) - first);
    const auto begin = mine.begin();
    cut[pe].assign(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(end));
    at = end;
  }
  return cut;
}

template <class T>
task<std::vector<T>> gather_bag(number which, pe_id root, std::source_location where) {
  co_await barrier(where);
  co_return co_await gather_concatenated(part_here<bag_part<T>>(which).elements(), root, where);
}

template <class T>
task<void> balance_bag(number which, std::source_location where) {
  co_await barrier(where);
  std::vector<T> mine = part_here<bag_part<T>>(which).take_all();
  const std::size_t last = co_await scan(mine.size(), reduce::plus, where);
  const std::size_t all = co_await all_reduce(mine.size(), reduce::plus, where);
  std::vector<std::vector<T>> cut = cut_for_pes(mine, last - mine.size(), all, static_cast<std::size_t>(pe_count()));
  mine.clear();
  std::vector<T> share;
  for (std::vector<T>& of_pe : co_await all_to_all(std::move(cut), where)) {
    std::ranges::move(of_pe, std::back_inserter(share));
  }
  part_here<bag_part<T>>(which).put_back(std::move(share));
}

template <class T, class Less, class Projection>
task<void> sort_bag(number which, bool stable, Less less, Projection of, std::source_location where) {
  co_await barrier(where);
  std::vector<T> mine = part_here<bag_part<T>>(which).take_all();
  std::vector<T> share;
  if (stable) {
    share = co_await tsubu::stable_sort(std::move(mine), std::move(less), std::move(of), where);
  } else {
    share = co_await tsubu::sort(std::move(mine), std::move(less), std::move(of), where);
  }
  part_here<bag_part<T>>(which).put_back(std::move(share));
  co_await barrier(where);
}

// What is put into a bag elsewhere, in one of the three times.
// Local; now() blocks until it is there, past() only at a co_await and while the network is full, future() never; what
// ends the job is said of bag.
template <class T, class Time>
class bag_verbs {
 public:
  explicit bag_verbs(number which) : which_(which) {}

  // Puts it into that PE's part.
  auto insert(pe_id pe, const T& element) const { return Time::template send<bag_insert<T>>(pe, which_, element); }

 private:
  number which_;
};

}  // namespace containers

// A bag's name. It travels, as its bytes.
// Local; size(), balance(), sort(), gather() and end() are collective and block until every PE has called them; a bag
// that has ended, or that a PE has not made, ends the job when it is used, and so does a change of a part that is
// walked.
template <class T>
class bag {
  static_assert(wire::sendable<T>, "the elements of a bag travel");
  using part = containers::bag_part<T>;

 public:
  bag() = default;
  explicit bag(containers::number which) : which_(which) {}

  // Puts it into this PE's part, at once.
  void insert(T element) const { here_().insert(std::move(element)); }
  // The same on another PE.
  containers::bag_verbs<T, containers::past_time> past() const {
    return containers::bag_verbs<T, containers::past_time>(which_);
  }
  containers::bag_verbs<T, containers::now_time> now() const {
    return containers::bag_verbs<T, containers::now_time>(which_);
  }
  containers::bag_verbs<T, containers::future_time> future() const {
    return containers::bag_verbs<T, containers::future_time>(which_);
  }

  std::size_t size_here() const { return here_().elements().size(); }
  // Elements of this PE of which gone(element) is true go: how many. The others keep their order.
  template <class F>
  std::size_t erase_if_here(F gone, std::source_location where = std::source_location::current()) const {
    return here_().erase_if(gone, where);
  }
  // This PE's elements: a range. As long as it lives, none may come here.
  auto here(std::source_location where = std::source_location::current()) const {
    part& p = here_();
    return containers::walked(p.elements(), p.walked_by, where);
  }

  // Collective, and awaited: how many elements all PEs have when every PE has called it. What is past
  // and has not run is not counted.
  task<std::size_t> size(std::source_location where = std::source_location::current()) const {
    return containers::sum_over_pes([*this] { return size_here(); }, where);
  }
  // Collective, and awaited: elements go to other PEs until none has more than one more than another. They keep
  // their order. What comes meanwhile stays where it came.
  task<void> balance(std::source_location where = std::source_location::current()) const {
    return containers::balance_bag<T>(which_, where);
  }
  // Collective, and awaited: afterwards here() is this PE's share in the order of all, by tsubu::sort() (sort.hpp), and
  // gather() is that order. What comes meanwhile lies behind.
  template <class Less = std::ranges::less, class Projection = std::identity>
  task<void> sort(Less less = {}, Projection of = {},
                  std::source_location where = std::source_location::current()) const {
    return containers::sort_bag<T>(which_, false, std::move(less), std::move(of), where);
  }
  // The same, and equal elements stay in their order.
  template <class Less = std::ranges::less, class Projection = std::identity>
  task<void> stable_sort(Less less = {}, Projection of = {},
                         std::source_location where = std::source_location::current()) const {
    return containers::sort_bag<T>(which_, true, std::move(less), std::move(of), where);
  }
  // Collective, and awaited: on the root all elements, those of PE 0 first; elsewhere none. The bag keeps them.
  task<std::vector<T>> gather(pe_id root = 0, std::source_location where = std::source_location::current()) const {
    return containers::gather_bag<T>(which_, root, where);
  }
  // Collective, and awaited: writes what all PEs have to the disk, in the place of what was saved into that folder
  // before, when nothing is left to do on any PE (quiescence()). Every PE has to see the folder. Throws
  // data_file_error, on every PE, if the disk is full, for example; then the folder has what it had.
  task<void> save(std::string folder, std::source_location where = std::source_location::current()) const {
    return containers::save_all(std::move(folder), containers::kept_of(*this), where);
  }
  // Collective, and awaited: brings back what was saved, by any number of PEs, into a bag that has nothing. Throws
  // data_file_error, on every PE, if it is not whole or not of these types; then nothing has been brought back.
  task<void> load(std::string folder, std::source_location where = std::source_location::current()) const {
    return containers::load_all(std::move(folder), containers::kept_of(*this), where);
  }
  // For checkpoint() and restore().
  std::unique_ptr<containers::kept_container> kept() const {
    return containers::make_kept<part>(which_, containers::home_in_bag());
  }
  // Collective, and awaited. Nobody uses the bag meanwhile, or afterwards.
  task<void> end(std::source_location where = std::source_location::current()) const {
    return containers::end_parts<part>(which_, where);
  }

 private:
  part& here_() const { return containers::part_here<part>(which_); }

  containers::number which_ = 0;
};

// An empty bag.
// Collective; blocks until every PE has called it; more than 65,535 bags of a type in a job end it.
template <class T>
task<bag<T>> create_bag(std::source_location where = std::source_location::current()) {
  const containers::number made = co_await containers::make_parts<containers::bag_part<T>>(where);
  co_return bag<T>(made);
}

}  // namespace tsubu
