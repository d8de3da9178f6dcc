// When the messages of objects are executed: on the spot, or later, and in which order.
//
// An object runs one method at a time. A message for a dormant object is executed on the spot, on the stack of whoever
// brings it. Others wait in the object's queue, and the object goes to the list of those that have something to run
// when its method ends. The list is run from the PE's ready queue. A method that would have started on the spot but for
// a stack that is deep, or a slice that is over, is listed in front: trees of objects run depth first.
//
// A slice is so many methods, and for objects that the runtime may move also so much time: what of them is listed then
// may go to a PE that has nothing to do (balance.hpp).
#pragma once

#include <functional>
#include <memory>

#include "tsubu/base/owned.hpp"
#include "tsubu/object/object_base.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::objects {

class object_space;

class execution {
 public:
  explicit execution(object_space& space);
  ~execution();
  execution(const execution&) = delete;
  execution& operator=(const execution&) = delete;

  // ---- whether a message may be executed on the spot

  // Whether one more method may run on this stack now.
  [[gnu::always_inline]] static bool has_stack() {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) >= this_stack_limit;
  }
  [[gnu::always_inline]] static bool may_run_on_this_stack() { return has_stack() && !this_task_context->in_fiber(); }
  // So many methods that are asked on this stack run at once, before the PE looks for messages again.
  [[gnu::always_inline]] bool in_slice(const object_base& o) { return --slice_left_ > 0 || slice_goes_on(o); }
  // How long it does so at most, for objects that may be moved.
  void limit_slice(std::int64_t ns) { roaming_ns_ = ns; }
  // Methods that wait. With many, a question from another PE to a dormant object starts no further one on the spot: it
  // is listed, the newest first. Else a tree of objects over several PEs would run breadth first, and all of it be
  // there at a time.
  void one_waits_more() { ++methods_wait_; }
  void one_waits_less() { --methods_wait_; }
  bool many_wait() const { return methods_wait_ > many_waiting; }

  // ---- messages that wait

  // The message waits until its object takes it. Not for a reentrant method, in these three.
  void wait(object_base& o, mail& m, bool express);
  // A question for a dormant object, while many methods wait.
  void put_off(object_base& o, mail& m);
  // The first message of an object that has come from elsewhere: it runs before those that came earlier.
  void run_newest(object_base& o, mail& m, bool express);
  // A message for a reentrant method that does not run on the spot: runs when no task does.
  void run_soon(object_base& o, mail& m);
  // The same for one that has waited already.
  void run_soon_again(object_base& o, mail& m);
  // Those of an object that leaves or ends.
  message_queue take_reentrant(object_base& o);
  // From hold() to release() no message begins or is accepted but those for reentrant methods. Behind that, guards of
  // an accept() are asked again: a reentrant method may have changed what they look at.
  static void hold(object_base& o) { o.tsubu_header.set(object_base::header::held); }
  void release(object_base& o);
  std::uint64_t queued() const { return queued_; }         // messages that waited for their object
  std::uint64_t were_put_off() const { return put_off_; }  // questions that waited while many methods did

  // ---- objects that have something to run

  void list(object_base& o, bool in_front);
  void unlist(object_base& o);
  std::size_t runnable() const;
  // How many of them the last turn has passed over, at the end of the list. What it ran instead was a slice of work;
  // in a tree the larger part waits behind the smaller, so each of these is mostly more than that.
  std::size_t passed_over() const;
  // Since the last turn, tasks have sent more than a slice's time of messages to objects that may be moved.
  bool tasks_are_ahead() const { return tasks_are_ahead_; }
  // As if a turn had passed over all.
  void pass_over_all();
  // Takes the one that would run last, of those that fit, and runs nothing; null if there is none.
  object_base* take_last(const std::function<bool(const object_base&)>& fits);

  // ---- methods

  // A reentrant method of the object waits; one that did has ended.
  void reentrant_waits(object_base& o);
  void reentrant_ended(object_base& o);
  // Whether a message that this object's method accepts could be executed at once, before it is looked at. If the
  // object is listed, one that came before has been accepted.
  static bool may_serve_now(const object_base& o) {
    const object_base::header& h = o.tsubu_header;
    return h.is(object_base::header::accepting) &&
           !h.is(object_base::header::held | object_base::header::runnable | object_base::header::asked) &&
           may_run_on_this_stack();
  }
  // This one is executed next, by the caller, if it is accepted.
  bool begin_to_serve(object_base& o, const mail& m);
  // Executes a message that this object's method has accepted for that one of its methods.
  void serve(object_base& o, mail& m, int which);
  // What was accepted has been executed.
  void served(object_base& o);
  // It is to end: if a method of it waits in serve() for a message, it goes on.
  static void serves_no_more(object_base& o);

 private:
  static constexpr int slice = 2048;
  static constexpr int looks_at_clock = 64;  // methods between two looks
  static constexpr int many_waiting = 1000;
  static constexpr int most_at_a_time = 1 << 20;
  struct lists;

  [[gnu::noinline]] bool slice_goes_on(const object_base& o);
  static bool run_turn(void* self);
  void run_some();
  void run_one(object_base& o);
  void run_message(object_base& o, mail& m);
  static void begin_to_serve(object_base& o, int which);
  static void end_accept(object_base& o);
  void run_reentrant();
  void check_mailboxes(const object_base& o, const mail& m) const;
  [[noreturn, gnu::cold]] void too_many_wait(const object_base& o, const mail& m) const;

  // Read and written by every message that is executed on the spot.
  int slice_left_ = 1;  // until the next look at the clock
  int methods_wait_ = 0;

  // Touched where messages wait only. The runner is scheduled whenever a list has something.
  object_space& space_;
  detail::owned<lists> lists_;
  int slice_used_ = 0;  // with what slice_left_ has been given
  std::int64_t slice_began_ns_ = 0;
  std::int64_t roaming_ns_ = 0;  // the balancer sets it before there is an object that may be moved
  bool in_turn_ = false;
  bool tasks_are_ahead_ = false;
  std::uint64_t queued_ = 0;
  std::uint64_t queued_before_turn_ = 0;
  std::uint64_t put_off_ = 0;
};

}  // namespace tsubu::objects
