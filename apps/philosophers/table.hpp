// Dijkstra's dining philosophers as concurrent objects. A fork is in one hand at a time: whoever asks for it while it
// is held waits in its queue.
//
// Source: Dijkstra, Hierarchical ordering of sequential processes, 1971.
#pragma once

#include <cstdint>

#include "tsubu/tsubu.hpp"

namespace philosophers {

class fork : public tsubu::object<fork> {
 public:
  // Replies when the asker has it. Until put_down(), the others that ask wait in the queue.
  tsubu::task<void> pick_up(tsubu::reply_to<void> asker);
  void put_down();
};

class philosopher : public tsubu::object<philosopher> {
 public:
  // Picks up `first`, then `second`.
  philosopher(tsubu::ref<fork> first, tsubu::ref<fork> second);

  // Who shares a fork with this one, to the left.
  void sits_beside(tsubu::ref<philosopher> neighbour);
  // Picks up the first fork; dine() will not do so again.
  tsubu::task<void> begin();
  tsubu::task<void> dine(std::int64_t meals);

  bool is_eating() { return eating_; }
  std::int64_t eaten() { return eaten_; }
  // Meals at which the neighbour ate, too: the forks are there to prevent that.
  std::int64_t clashes() { return clashes_; }

 private:
  tsubu::ref<fork> first_, second_;
  tsubu::ref<philosopher> neighbour_;
  std::int64_t eaten_ = 0;
  std::int64_t clashes_ = 0;
  bool eating_ = false;
  bool has_first_ = false;
};

}  // namespace philosophers

// A philosopher answers while dining.
template <>
inline constexpr bool tsubu::reentrant<&philosophers::philosopher::is_eating> = true;
