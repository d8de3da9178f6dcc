// The objects of a PE that have something to run, and whose turn it is.
//
// A tree of objects should run depth first, or all of it is there at a time: so the newest runs first. That the others
// come to their turn too, one in so many is the oldest. What is listed in front runs before all that is listed already,
// and in the order in which it was listed: those are methods that would have started on the spot, one after the other.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

class run_list {
 public:
  // One in so many is from the back.
  static constexpr std::uint32_t from_the_back = 64;

  bool empty() const { return list_.empty() && in_front_.empty(); }
  std::size_t size() const { return list_.size() + in_front_.size(); }

  // None of these adds one that is listed.
  void add(object_base& o);           // behind the others
  void add_newest(object_base& o);    // before the others
  void add_in_front(object_base& o);  // before the others, behind those that are added so until the next turn

  // Takes the one whose turn it is; null if there is none.
  object_base* take_next();
  // Takes the last one, of those that would run, that `fits`; null if there is none.
  object_base* take_last(const std::function<bool(const object_base&)>& fits);
  void remove(object_base& o);

  // How many of those that would run last have been there, and have not been taken, since the last begin_turn().
  void begin_turn();
  std::size_t passed_over() const { return std::min(passed_over_, list_.size()); }

 private:
  void join();  // the two

  // An object has the bit `runnable` exactly while it is in one of these, once.
  std::deque<object_base*> list_;
  std::vector<object_base*> in_front_;  // of the list, in this order
  std::uint32_t turns_ = 0;
  std::size_t passed_over_ = 0;
};

}  // namespace tsubu::objects
