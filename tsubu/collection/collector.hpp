// The collector's part on one PE: it counts what is held by nobody that it can see, marks what that reaches, and ends
// what is left. collect.cpp has the order of these on all PEs, docs/collection.md why that is right.
//
// It does each in slices, between the PE's tasks and messages. What it looks at changes meanwhile: see held_names.hpp.
#pragma once

#include <vector>

#include "tsubu/collection/held_names.hpp"
#include "tsubu/object/names.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::objects {
class object_space;
}  // namespace tsubu::objects

namespace tsubu::collection {

class collector {
 public:
  collector();
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;

  // All of these but the first are tasks that end when the PE has done its part.

  // The cycle begins here, unless it has: true if not.
  bool begin(std::uint32_t cycle);
  // Marks what is held by code, by messages that wait, by objects that are not at rest, and what these reach.
  task<void> mark_from_roots();
  // Marks what is grey, and what that reaches. Does nothing while it does so already.
  task<void> mark_grey();
  // Takes the white objects off the path of messages; one that is not at rest is made grey instead. True if nothing has
  // turned grey since mark_grey().
  task<bool> freeze();
  // They go on.
  void thaw();
  // They end, and the cycle. How many were.
  task<std::uint64_t> end_white();

  // Another PE has shaded an object whose home or place this is.
  void mark(const objects::identity& id);

 private:
  static constexpr std::uint32_t slice = 256;

  void show_if_at_rest(objects::object_base& o, const objects::object_type& type, objects::edges& to);
  void freeze_one(objects::object_base& o, const objects::object_type& type);
  void mark_one(const objects::identity& id, objects::edges& to);
  // Calls f(object, type) for all objects of collected classes here.
  template <class F>
  task<void> for_each_collected(F f);

  objects::object_space& space_;
  held_names& names_;
  bool marks_ = false;  // mark_grey() is at work
  std::vector<objects::object_base*> frozen_;
};

extern const pe_local<collector> collectors;

}  // namespace tsubu::collection
