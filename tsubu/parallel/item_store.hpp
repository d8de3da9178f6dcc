// The work items that wait on one PE.
//
// The newest is run next, so that a tree of items is run depth first and few are there at a time. The oldest go to
// other PEs: in a tree, the roots of the largest parts that nobody has begun.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace tsubu::parallel {

template <class Item>
class item_store {
 public:
  bool empty() const { return first_ == items_.size(); }
  std::size_t size() const { return items_.size() - first_; }

  void add(Item item) {
    items_.push_back(std::move(item));
    grew_ = true;
  }

  // The next one. Only if it is not empty.
  Item take() {
    Item taken = std::move(items_.back());
    items_.pop_back();
    passed_over_ = std::min(passed_over_, size());
    return taken;
  }

  // Some are run next; the first of them stays in any case, or a single one would be passed round and never run.
  void begin_turn() {
    passed_over_ = empty() ? 0 : size() - 1;
    grew_ = false;
  }

  // Takes what goes to another PE if `among` share equally; of those only that a turn has passed over. If there are no
  // more than lie beside one path down a tree, and it grows, the oldest few are as large as all the others together. A
  // quarter of them is the oldest one where nodes have two children, and the oldest siblings where they have more.
  std::vector<Item> share(std::size_t among) {
    const bool is_path = passed_over_ <= longest_path && grew_;
    const std::size_t quarter = std::max<std::size_t>(passed_over_ / 4, 1);
    const std::size_t equal = std::clamp<std::size_t>(passed_over_ / among, 1, most_given);
    const std::size_t count = std::min(passed_over_, is_path ? quarter : equal);
    const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first_);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    std::vector<Item> shared(std::make_move_iterator(begin), std::make_move_iterator(end));
    passed_over_ -= count;
    first_ += count;
    if (first_ >= size()) forget_given();
    return shared;
  }

  void clear() {
    items_.clear();
    first_ = 0;
    passed_over_ = 0;
  }

 private:
  static constexpr std::size_t longest_path = 32;  // from the root of a tree to a leaf, as most are
  static constexpr std::size_t most_given = 1024;

  // Their places are used again. Each item moves once at most for one that was given: only where as many were given as
  // there are.
  void forget_given() {
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  std::vector<Item> items_;  // from first_ on; those before were given away
  std::size_t first_ = 0;
  std::size_t passed_over_ = 0;  // of the oldest, since begin_turn(); at most as many as there are
  bool grew_ = false;            // since begin_turn()
};

}  // namespace tsubu::parallel
