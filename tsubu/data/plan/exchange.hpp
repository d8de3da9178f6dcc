// What every method of an exchange plan does, each in its way: completes this PE's view, or hands the elements over as
// they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "tsubu/task/task.hpp"

namespace tsubu::data {

// Where an exchange hands over: groups [first, last) of occurrences have their elements in the view. A reference to
// what is called, which must stay.
template <class T>
class group_visitor {
 public:
  template <class Body>
  explicit group_visitor(Body& body)
      : body_(&body), call_([](void* b, std::size_t first, std::size_t last, std::span<const T> view) {
          (*static_cast<Body*>(b))(first, last, view);
        }) {}
  void operator()(std::size_t first, std::size_t last, std::span<const T> view) const {
    call_(body_, first, last, view);
  }

 private:
  void* body_;
  void (*call_)(void*, std::size_t, std::size_t, std::span<const T>);
};

// Groups of occurrences: group g is [begin(g), begin(g + 1)). The bounds must stay.
class occurrence_groups {
 public:
  // Each occurrence is a group.
  explicit occurrence_groups(std::size_t occurrences) : count_(occurrences) {}
  // Between two bounds is one.
  explicit occurrence_groups(std::span<const std::int64_t> bounds)
      : bounds_(bounds.data()), count_(bounds.empty() ? 0 : bounds.size() - 1) {}

  std::size_t count() const { return count_; }
  std::size_t begin(std::size_t group) const {
    return bounds_ == nullptr ? group : static_cast<std::size_t>(bounds_[group]);
  }

 private:
  const std::int64_t* bounds_ = nullptr;
  std::size_t count_;
};

template <class T>
class exchange {
 public:
  virtual ~exchange() = default;

  // Where each occurrence is in the view.
  virtual std::span<const std::int32_t> slots() const = 0;
  // Where the program may set its elements, so that they need not be copied from elsewhere.
  virtual std::span<T> own() = 0;
  // Executes: `own` are this PE's elements. The view is valid until the next execution.
  virtual task<std::span<const T>> gather(std::span<const T> own) = 0;
  // Executes, and hands over all groups, in any order.
  virtual task<void> visit(std::span<const T> own, occurrence_groups groups, group_visitor<T> body) {
    const std::span<const T> view = co_await gather(own);
    if (groups.count() != 0) body(0, groups.count(), view);
  }
};

}  // namespace tsubu::data
