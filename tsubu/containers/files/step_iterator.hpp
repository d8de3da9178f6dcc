// The iterator of a range that is read while it is walked, and walked once: it asks the range for its next element.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace tsubu::containers {

// Range has step(), current() and ended(), which it may keep for its friend.
template <class Range, class Element>
class step_iterator {
 public:
  using value_type = std::remove_cvref_t<Element>;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::input_iterator_tag;

  explicit step_iterator(Range& of) : of_(&of) {}
  Element operator*() const { return of_->current(); }
  step_iterator& operator++() {
    of_->step();
    return *this;
  }
  void operator++(int) { of_->step(); }
  bool operator==(std::default_sentinel_t) const { return of_->ended(); }

 private:
  Range* of_;
};

}  // namespace tsubu::containers
