// Express messages, of classes that have clauses for them: they interrupt a normal clause where it waits, and at the
// back-edges of its loops.
//
// A method for express messages is tsubu::reentrant, so it begins while its object waits. A gate in each object sees to
// the rest: one express clause at a time, in order; none in an atomic block; and the normal clause goes on when they
// have ended, or not at all after (non-resume).
//
//   task<void> on_stop() {                                 // (=>> [:stop] ...)
//     co_await express_.enter();
//     const abcl::express_gate::inside express_1(express_);
//     ...
//   }
//   task<void> on_work(integer n) {                        // a normal clause
//     for (...) {
//       if (express_.poll()) co_await tsubu::yield();      // a back-edge: lets messages come
//       co_await express_.clear();                         // behind each wait, too
//     }
//   }
#pragma once

#include <coroutine>
#include <deque>
#include <source_location>
#include <utility>

#include "abcl/runtime/not_resumed.hpp"
#include "tsubu/task/context.hpp"

namespace abcl {

class express_gate {
 public:
  express_gate() = default;
  express_gate(const express_gate&) = delete;
  express_gate& operator=(const express_gate&) = delete;

  // ---- by an express clause

  class turn {
   public:
    explicit turn(express_gate& of) : of_(of) {}
    bool await_ready() {
      if (of_.closed()) return false;
      of_.runs_ = true;
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
    tsubu::wait_record record_{"the end of an atomic block, or of an express message", this};
  };
  turn enter() { return turn(*this); }

  class inside {
   public:
    explicit inside(express_gate& of) : of_(of) {}
    ~inside() {
      of_.runs_ = false;
      of_.next();
    }
    inside(const inside&) = delete;
    inside& operator=(const inside&) = delete;

   private:
    express_gate& of_;
  };

  // (non-resume); normal: a normal clause has begun and not ended
  void non_resume() { ends_normal_ = normal_; }

  // ---- by a normal clause

  // While it lives a normal clause runs.
  class normal {
   public:
    explicit normal(express_gate& of) : of_(of) { of_.normal_ = true; }
    ~normal() {
      of_.normal_ = false;
      of_.ends_normal_ = false;
    }
    normal(const normal&) = delete;
    normal& operator=(const normal&) = delete;

   private:
    express_gate& of_;
  };

  // (atomic ...)
  class atomic {
   public:
    explicit atomic(express_gate& of) : of_(of) { ++of_.atomic_; }
    ~atomic() {
      if (--of_.atomic_ == 0) of_.next();
    }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

   private:
    express_gate& of_;
  };

  // At a back-edge: whether it is time to look for messages.
  bool poll() { return (++edges_ & edges_between_looks) == 0; }

  // Behind a wait: goes on when no express clause runs.
  class clearance {
   public:
    explicit clearance(express_gate& of) : of_(of) {}
    bool await_ready() const { return !of_.runs_; }
    void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
      suspend(task, where);
    }
    void suspend(tsubu::ready_item who, std::source_location where) {
      record_.suspend(who, where);
      of_.interrupted_ = this;
    }
    void await_resume() const {
      if (of_.ends_normal_) [[unlikely]]
        throw not_resumed();
    }

   private:
    friend class express_gate;
    express_gate& of_;
    tsubu::wait_record record_{"the end of an express message", this};
  };
  clearance clear() { return clearance(*this); }

 private:
  static constexpr unsigned edges_between_looks = 63;

  bool closed() const { return runs_ || atomic_ != 0 || !turns_.empty(); }
  void next() {
    if (runs_) return;
    if (atomic_ == 0 && !turns_.empty()) {
      runs_ = true;
      turn* const first = turns_.front();
      turns_.pop_front();
      first->record_.wake();
    } else if (interrupted_ != nullptr) {
      std::exchange(interrupted_, nullptr)->record_.wake();
    }
  }

  std::deque<turn*> turns_;  // express messages that wait
  clearance* interrupted_ = nullptr;
  int atomic_ = 0;
  unsigned edges_ = 0;
  bool runs_ = false;  // an express clause, or the next of turns_ is about to
  bool normal_ = false;
  bool ends_normal_ = false;
};

}  // namespace abcl
