// The collector's part on one PE: it counts what is held by nobody that it can see, marks what that reaches, and ends
// what is left. collect.cpp has the order of these on all PEs, docs/collection.md why that is right.
//
// It does each in slices (slice.hpp), between the PE's steps. What it looks at changes meanwhile: see held_names.hpp.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "tsubu/collection/held_names.hpp"
#include "tsubu/collection/report.hpp"
#include "tsubu/object/names.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::objects {
class object_space;
}  // namespace tsubu::objects

namespace tsubu::collection {

// What a PE says of an object to why_alive().
struct found_object {
  bool is_here = false;
  pe_id next = no_pe;  // if it is not: who knows more; no_pe: it has ended
  std::string name{};
  cause why{};

  template <class A>
  void serialize(A& a) {
    a(is_here, next, name, why);
  }
};

class collector {
 public:
  // Words of names.
  using bunch = std::array<std::uint64_t, 8>;

  collector();
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;

  // All of these but the first are tasks that end when the PE has done its part.

  // The cycle begins here, unless it has: true if not.
  bool begin(std::uint32_t cycle, bool keep_causes);
  // Marks what is held by code, by messages that wait, by objects that are not at rest, and what these reach.
  task<void> mark_from_roots();
  // Marks what is grey, and what that reaches. Does nothing while it does so already.
  task<void> mark_grey();
  // Takes the white objects off the path of messages; one that is not at rest is made grey instead. True if nothing has
  // turned grey since mark_grey().
  task<bool> freeze();
  // They go on.
  void thaw();
  // They end, and the cycle.
  task<cycle_report> end_white();

  // Ends objects that have lost their last strong_ref, as far as that can be known at once.
  task<void> look_in_next_step();
  // The object, behind a cycle that has kept causes.
  found_object find(const objects::identity& id) const;

  // Another PE has shaded an object whose home or place this is.
  void mark(const objects::identity& id);

 private:
  // So many objects are looked at together; where a slice takes no time, each alone.
  static constexpr std::uint32_t most_at_once = 32;
  struct candidate {
    objects::object_base* object = nullptr;  // null: it is not here
    std::uint32_t type = 0;
  };

  task<void> look_at_dropped();
  bool end_unheld(const stub& s);
  void add_active(objects::object_base& o);
  // The PE that knows more of an object that is not here; no_pe if none does.
  pe_id way_to(const objects::identity& id) const;
  // Whether they do not fit into the cache.
  bool are_many() const { return names_.size() > 20'000; }
  candidate look_up(const objects::identity& id) const;
  void fetch(const candidate* first, std::uint32_t count);
  void show_if_at_rest(const candidate& c, objects::edges& to);
  void freeze_one(const candidate& c);
  void mark_some(objects::edges& reached);
  void mark_one(const candidate& c, const objects::identity& id, objects::edges& to);
  // Marks of objects at one home go together.
  void mark_elsewhere(const objects::identity& id);
  void send_bunch();
  task<void> mark_in_next_step();
  // By somebody whom the collector does not see.
  task<void> shade_what_is_held();
  task<void> forget_white();
  // Calls f(candidates, how many) for all objects of collected classes here, some at a time.
  template <class F>
  task<void> for_each_collected(F f);

  objects::object_space& space_;
  held_names& names_;
  const std::uint32_t at_once_;
  bool looks_ = false;      // look_in_next_step() is at work
  bool marks_ = false;      // mark_grey() is at work
  bool will_mark_ = false;  // mark_in_next_step() is
  bunch bunch_{};
  std::size_t in_bunch_ = 0;
  pe_id home_of_bunch_ = no_pe;
  // By creator: names from there on have come since the cycle has begun here, and their objects are not white.
  std::vector<std::uint32_t> ends_;
  std::deque<candidate> frozen_;
  std::uint64_t ended_at_once_ = 0;      // since the last report
  std::vector<class_account> by_class_;  // by the number of the class; of this cycle
};

extern const pe_local<collector> collectors;

}  // namespace tsubu::collection
