// Express messages, of classes that have clauses for them: they interrupt a normal clause where it waits, and at the
// back-edges of its loops.
//
// A method for express messages is tsubu::reentrant, so it begins while its object waits. A gate in each object sees to
// the rest: one express clause at a time, in order; none in an atomic block, nor where the normal clause does not wait;
// no other message begins, or is taken by a wait-for, while one runs; and the normal clause goes on when they have
// ended, or not at all after (non-resume).
//
//   task<void> on_stop() {                                 // (=>> [:stop] ...)
//     co_await express_.enter();
//     const abcl::express_gate::inside express_1(express_);
//     ...
//   }
//   task<void> on_work(integer n) {                        // a normal clause
//     const abcl::express_gate::normal normal_1(express_);
//     for (...) {
//       if (express_.poll()) {                             // a back-edge: lets messages come
//         express_.waits();                                // in front of each wait, and
//         co_await tsubu::yield();
//         co_await express_.clear();                       // behind it
//       }
//     }
//   }
#pragma once

#include <algorithm>
#include <coroutine>
#include <deque>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "abcl/runtime/not_resumed.hpp"
#include "abcl/runtime/wait.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/task/context.hpp"

namespace abcl {

class express_gate {
  using object_base = tsubu::objects::object_base;
  using bits = object_base::header::bits;

 public:
  explicit express_gate(object_base& of) : object_(of) {}
  ~express_gate() { forget(); }
  express_gate(const express_gate&) = delete;
  express_gate& operator=(const express_gate&) = delete;

  // ---- by an express clause

  class turn {
   public:
    explicit turn(express_gate& of) : of_(of) {}
    bool await_ready() {
      if (!of_.open() || !of_.turns_.empty()) return false;
      of_.begin();
      return true;
    }
    void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
      suspend(task, where);
    }
    void suspend(tsubu::ready_item who, std::source_location where) {
      record_.suspend(who, where);
      of_.turns_.push_back(this);
    }
    void await_resume() const {}

   private:
    friend class express_gate;
    express_gate& of_;
    tsubu::wait_record record_{nullptr, this};  // the clause that keeps it out tells of its own wait
  };
  turn enter() { return turn(*this); }

  class inside;  // while it lives an express clause runs

  class listening;  // while it lives an express clause waits for a message

  // (non-resume), there; normal: a normal clause has begun and not ended
  void non_resume(const site& by) {
    if (!normal_ || leaves_) return;
    leaves_ = true;
    left_by_ = &by;
    left_clauses->push_back(this);
  }

  // ---- by a normal clause

  class normal;  // while it lives a normal clause runs

  class atomic;  // while it lives (atomic ...) is executed

  // At a back-edge: whether it is time to look for messages.
  bool poll() { return (++edges_ & edges_between_looks) == 0; }

  // In front of a wait.
  void waits() {
    goes_on_ = false;
    next();
  }
  // A wait-for has taken a message: its clause goes on, though it does not know yet.
  void has_taken() {
    if (!runs_) goes_on_ = true;
  }
  // Whether the clause is left when its wait has ended.
  bool leaves() const { return leaves_; }

  // Behind a wait: goes on when no express clause runs.
  class clearance {
   public:
    explicit clearance(express_gate& of) : of_(of) {}
    bool await_ready() const {
      if (of_.runs_) return false;
      of_.goes_on_ = true;
      return true;
    }
    void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
      suspend(task, where);
    }
    void suspend(tsubu::ready_item who, std::source_location where) {
      record_.suspend(who, where);
      of_.interrupted_ = this;
    }
    void await_resume() const {
      if (of_.leaves_) [[unlikely]]
        throw not_resumed();
    }

   private:
    friend class express_gate;
    express_gate& of_;
    tsubu::wait_record record_{nullptr, this};  // the express clause tells of its own wait
  };
  clearance clear() { return clearance(*this); }

  // For a deadlock report.
  static std::vector<std::string> clauses_that_are_left() {
    std::vector<std::string> all;
    for (const express_gate* gate : *left_clauses)
      all.push_back(shown_left(shown_object(gate->left_by_->of_class, number_text(gate->object_))));
    return all;
  }

 private:
  static constexpr unsigned edges_between_looks = 63;
  static inline tsubu::pe_local<std::vector<const express_gate*>> left_clauses;

  // Whether an express clause may begin.
  bool open() const { return !runs_ && !goes_on_ && atomic_ == 0; }
  void begin() {
    runs_ = true;
    tsubu::objects::execution::hold(object_);
  }
  // The first of those that wait begins, if it may.
  void next() {
    if (!open() || turns_.empty()) return;
    begin();
    turn* const first = turns_.front();
    turns_.pop_front();
    first->record_.wake();
  }
  void ended() {
    runs_ = false;
    next();
    if (runs_) return;
    if (interrupted_ != nullptr) {
      goes_on_ = true;
      std::exchange(interrupted_, nullptr)->record_.wake();
    }
    if (tsubu::remote::job_goes_on()) tsubu::objects::this_space().runs.release(object_);
  }
  void forget() {
    if (std::exchange(leaves_, false) && tsubu::remote::job_goes_on()) std::erase(*left_clauses, this);
  }

  // Constant after construction.
  object_base& object_;

  std::deque<turn*> turns_;  // express messages that wait
  clearance* interrupted_ = nullptr;
  int atomic_ = 0;
  unsigned edges_ = 0;
  bool runs_ = false;     // an express clause, or the next of turns_ is about to: the object is held exactly then
  bool normal_ = false;   // a normal clause has begun and not ended
  bool goes_on_ = false;  // it does not wait
  bool leaves_ = false;   // (non-resume) has been executed: it is in left_clauses
  const site* left_by_ = nullptr;  // there, the last time
};

}  // namespace abcl
