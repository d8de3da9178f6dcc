// The work items that wait on one PE.
//
// The newest is run next, so that a tree of items is run depth first and few are there at a time. The oldest go to
// other PEs: in a tree, the roots of the largest parts that nobody has begun.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

namespace tsubu::parallel {

template <class Item>
class item_store {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }

  void add(Item item) {
    items_.push_back(std::move(item));
    grew_ = true;
  }

  // The next one. Only if it is not empty.
  Item take() {
    Item taken = std::move(items_.back());
    items_.pop_back();
    passed_over_ = std::min(passed_over_, items_.size());
    return taken;
  }

  // Some are run next; the first of them stays in any case, or a single one would be passed round and never run.
  void begin_turn() {
    passed_over_ = items_.empty() ? 0 : items_.size() - 1;
    grew_ = false;
  }

  // Takes what goes to another PE if `among` share equally; of those only that a turn has passed over. If there are no
  // more than lie beside one path down a tree, and it grows, the oldest is as large as all the others together.
  std::vector<Item> share(std::size_t among) {
    const bool is_path = passed_over_ <= longest_path && grew_;
    const std::size_t equal = std::clamp<std::size_t>(passed_over_ / among, 1, most_given);
    const std::size_t count = std::min(passed_over_, is_path ? 1 : equal);
    const auto end = items_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Item> shared(std::move_iterator(items_.begin()), std::move_iterator(end));
    items_.erase(items_.begin(), end);
    passed_over_ -= count;
    return shared;
  }

  void clear() {
    items_.clear();
    passed_over_ = 0;
  }

 private:
  static constexpr std::size_t longest_path = 32;  // from the root of a tree to a leaf, as most are
  static constexpr std::size_t most_given = 1024;

  std::deque<Item> items_;
  std::size_t passed_over_ = 0;  // of the oldest, since begin_turn(); at most as many as there are
  bool grew_ = false;            // since begin_turn()
};

}  // namespace tsubu::parallel
