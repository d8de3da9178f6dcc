// What a PE keeps for Python, by the number that Python knows it by.
//
// An array is dealt in blocks of equal length, the last of which may be shorter: so where an element lies is one
// division, without a branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/data/arrays/divider.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::python {

// Which PE has which elements of n.
class blocks {
 public:
  blocks(std::size_t n, pe_id pes)
      : n_(n),
        by_length_(
            std::max<std::uint64_t>((n + static_cast<std::size_t>(pes) - 1) / static_cast<std::size_t>(pes), 1)) {}

  struct place {
    std::uint64_t home;
    std::uint64_t number;
  };
  [[gnu::always_inline]] place of(std::uint64_t index) const {
    const std::uint64_t home = by_length_(index);
    return {home, index - home * by_length_.by()};
  }
  std::size_t first_of(pe_id pe) const {
    return std::min(n_, static_cast<std::size_t>(pe) * static_cast<std::size_t>(by_length_.by()));
  }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  data::divider by_length_;
};

// Whatever a PE keeps. Made by all PEs in one command, and dropped by all in one.
class kept {
 public:
  kept() = default;
  kept(const kept&) = delete;
  kept& operator=(const kept&) = delete;
  virtual ~kept() = default;
  // Collective.
  virtual task<void> drop() { co_return; }
};

// What this PE keeps by that number. Ends the job if there is nothing.
kept& kept_here(std::uint64_t id);
// All of them, ascending: the same on all PEs.
std::vector<std::uint64_t> all_numbers_here();
void keep_here(std::uint64_t id, std::unique_ptr<kept> what);
// Collective. Nothing, if there is none of that number: it could not be made.
task<void> drop_here(std::uint64_t id);

// What comes while this PE gets elements from others, an update of one element each. Without a value at first: they are
// written once.
template <class T>
struct entry {
  entry() {}  // NOLINT(modernize-use-equals-default): that would write zeros
  entry(std::uint64_t at, T v) : number(at), value(v) {}
  std::uint64_t number;
  T value;
};

enum class update : std::uint8_t { assign, add };

// Updates of a part, done in the order of the PEs that have sent them, as if one had sent all: whatever the number of
// PEs is, the last assignment of an element wins, and a sum of floating-point numbers has the same bits. What is early
// waits. Behind the last PE's it begins anew.
template <class T>
class ordered_updates {
 public:
  explicit ordered_updates(pe_id pes)
      : early_(static_cast<std::size_t>(pes)), has_ended_(static_cast<std::size_t>(pes)) {}

  template <class Apply>
  void take(pe_id from, std::vector<entry<T>> entries, Apply apply) {
    if (static_cast<std::size_t>(from) == next_) return apply(entries);
    early_[static_cast<std::size_t>(from)].push_back(std::move(entries));
  }
  // That PE sends no more.
  template <class Apply>
  void end_of(pe_id from, Apply apply) {
    has_ended_[static_cast<std::size_t>(from)] = true;
    while (has_ended_[next_]) {
      has_ended_[next_] = false;
      if (++next_ == early_.size()) {
        next_ = 0;
        return;
      }
      for (const std::vector<entry<T>>& entries : early_[next_]) apply(entries);
      early_[next_] = {};
    }
  }

 private:
  std::size_t next_ = 0;                                   // the PE whose updates are done at once
  std::vector<std::vector<std::vector<entry<T>>>> early_;  // by PE
  std::vector<bool> has_ended_;
};

// An array, as a PE sees it. On threads it is in one piece, of which PEs write the blocks that are theirs; while nobody
// does, any may read all. Where PEs are other processes, each has its block.
template <class T>
class part final : public kept {
 public:
  // `own` is all of it on PE 0, which keeps it for all, and null elsewhere.
  part(std::size_t n, T* of_all, std::unique_ptr<T[]> own, pe_id me, pe_id pes)
      : where(n, pes),
        first(where.first_of(me)),
        all(of_all),
        values(of_all + first, where.first_of(me + 1) - first),
        updates(pes),
        own_(std::move(own)) {}
  // `block` is this PE's; null: it has no memory for it.
  part(std::size_t n, std::unique_ptr<T[]> block, pe_id me, pe_id pes)
      : where(n, pes),
        first(where.first_of(me)),
        all(nullptr),
        values(block.get(), block != nullptr ? where.first_of(me + 1) - first : 0),
        updates(pes),
        own_(std::move(block)) {}

  const blocks where;
  const std::size_t first;    // of the array's elements
  T* const all;               // null where PEs are other processes
  const std::span<T> values;  // from `first` on
  ordered_updates<T> updates;

 private:
  const std::unique_ptr<T[]> own_;
};

// Ends the job if what has that number is something else.
template <class T>
part<T>& part_here(std::uint64_t id);

// All elements of an array, for a thread of Python's while no PE runs. Ends the process if no array of this type has
// that number.
template <class T>
T* elements_of(std::uint64_t id);
// Another job begins, whose numbers begin anew.
void forget_arrays();

// Which of n things of Python's this PE works at: [begin, end). Where PEs are other processes the first, which alone
// has Python's memory, works at all.
struct share {
  std::size_t begin, end;
};
share share_here(std::size_t n);

}  // namespace tsubu::python
