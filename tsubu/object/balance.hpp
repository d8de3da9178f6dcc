// Work for idle PEs: what create<T>(anywhere()) promises.
//
// What may be given is an object that was created anywhere(), can be moved, and has something to run, but runs nothing
// now. Of these the ones go that would run last and that a turn has passed over: in a tree of objects, the roots of the
// largest parts that nobody has begun. Flat work goes in equal shares: many objects, or some that create no others.
//
// A PE that runs out of work asks a near one and then any one, by chance (work stealing: Blumofe and Leiserson 1999).
// If neither has anything to give it asks no more, but tells PEs at distances 1, 2, 4, ... that it is hungry, each
// once; they send something when they have it (lifelines: Saraswat and others 2011). So a job in which nothing is to be
// done has nothing on its way, and ends. When a job starts, all PEs are taken to have told.
//
// Who has told is known until it is given something, and is told that it was given it for that reason: by the object or
// the work that comes; or, where a new object is made at its place, by a note ahead of it. Then it tells again: after a
// new object at once, without asking, since all others whom it tells know it still.
#pragma once

#include <cstdint>
#include <vector>

#include "tsubu/base/random.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/object/runner.hpp"
#include "tsubu/remote/step_hooks.hpp"

namespace tsubu::objects {

class object_space;

// Work of this PE that is in no object (tsubu/parallel).
class work_source {
 public:
  virtual bool has_work() const = 0;  // that has not begun
  // Sends what is the share of that PE if so many have one. Gives the number of pieces, 0 if there is nothing to share.
  virtual std::size_t give(pe_id to, std::size_t among) = 0;

 protected:
  ~work_source() = default;
};

class balancer final : remote::idle_watcher {
 public:
  explicit balancer(object_space& space);

  // The PE for a new object: if it cannot be moved later, one that is hungry, which is sent a note of it.
  pe_id place_new(bool can_move);

  // Objects are run next; have been run. Gives some to those that are hungry.
  void before_running();
  void after_running();

  // A source has come to this PE; it is no more.
  void add(work_source& source);
  void remove(work_source& source);
  // How long a source, or the objects, should run before they let the PE turn to other work.
  std::int64_t slice_ns() const;
  // A source has been run so long.
  void turn_over();
  // Those that are hungry get what there is to give.
  void serve_hungry();

  // By the handlers: that PE asks; is hungry; has nothing to give; has sent an object; has chosen this PE for a new
  // one.
  void asked_by(pe_id thief);
  void hungry_is(pe_id who);
  void refused();
  void fed_by(pe_id from);
  void chosen_by(pe_id from);

 private:
  // Slices: with nobody to give to; for some turns after somebody has asked, who will not be the last; and while
  // somebody is hungry, so that there is soon something to give.
  static constexpr std::int64_t usual_slice_ns = 20'000;
  static constexpr std::int64_t asked_slice_ns = 5'000;
  static constexpr std::int64_t short_slice_ns = 1'000;
  static constexpr int turns_after_asked = 20;
  static constexpr int most_asked = 2;             // before it tells that it is hungry
  static constexpr std::uint64_t near_pes = 8;     // the next ones, whose memory or node is most likely the same
  static constexpr std::size_t most_given = 256;   // at a time
  static constexpr std::size_t longest_path = 32;  // from the root of a tree to a leaf, as most are

  void on_idle() override;
  void ask();
  pe_id victim();
  bool give(pe_id to, std::size_t among);                 // its share, if so many have one
  std::size_t give_objects(pe_id to, std::size_t among);  // how many
  bool any_source_has_work() const;
  void set_slice();

  // If PE A has B in told_, then B has A in hungry_, or a message is under way: from A to B, which puts it there, or
  // from B to A, which takes B out of told_. So who takes a PE out of hungry_ sends it such a message; and who gets one
  // counts it as work (on_idle), and tells again when that is done. Else A would be forgotten for good.
  std::vector<pe_id> hungry_;  // others, as they have told
  std::vector<pe_id> told_;    // that this PE is hungry, since they last gave

  object_space& space_;
  std::vector<work_source*> sources_;
  std::uint64_t sources_added_ = 0;
  std::uint64_t chosen_ = 0;   // for new objects, whether or not they have come
  bool chosen_since_ = false;  // it asked
  runner sender_;              // of new objects for other PEs, behind the task that creates them
  int turns_asked_ = 0;        // left of turns_after_asked
  std::uint64_t work_when_asked_ = 0;
  int asked_ = 0;        // since then
  std::size_t fed_ = 0;  // since objects were run last
  std::uint64_t created_before_turn_ = 0;
  bool flat_ = false;  // the last turn has created no object, or several have come
  random_source chance_;
};

}  // namespace tsubu::objects
