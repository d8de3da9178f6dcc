// The indices of a loop that wait on one PE, as ranges. They are counted from 0.
//
// A loop starts as one range, and is cut only where somebody takes of it: a grain from its end to be run, a share from
// its start for another PE. So a loop costs nothing for the grains that it might have been cut into.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tsubu::parallel {

struct index_range {
  std::int64_t first;
  std::int64_t last;  // behind it
  std::int64_t size() const { return last - first; }
};

class range_store {
 public:
  explicit range_store(std::int64_t grain) : grain_(grain) {}

  bool empty() const { return size_ == 0; }
  std::int64_t size() const { return size_; }

  void add(index_range r);

  // The next grain, or less. Only if it is not empty.
  index_range take() {
    index_range& from = ranges_.back();
    const index_range taken{std::max(from.first, from.last - grain_), from.last};
    from.last = taken.first;
    if (from.size() == 0) ranges_.pop_back();
    size_ -= taken.size();
    return taken;
  }

  void begin_turn() {}  // any grain but the last may be given at any time

  // Takes what goes to another PE if `among` share equally: whole grains. A grain stays, or it would be passed round.
  std::vector<index_range> share(std::size_t among);

  void clear() {
    ranges_.clear();
    size_ = 0;
  }

 private:
  // None is empty; their sizes add up to size_.
  std::vector<index_range> ranges_;
  std::int64_t size_ = 0;
  std::int64_t grain_;
};

}  // namespace tsubu::parallel
