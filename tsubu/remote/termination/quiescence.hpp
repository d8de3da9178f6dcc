// Is anything left to do, anywhere? Exact, by counting; no time-outs.
//
// PE 0, when it is idle, sends a wave down the tree of the PEs (tree.hpp). A PE answers when it, too, is idle
// and its children have answered, with the packets it has sent and executed so far. If as many were
// executed by the first of two waves as were sent by the second, nothing was in flight between them and
// every PE was idle: the job is quiescent (four counters: F. Mattern, "Algorithms for distributed
// termination detection", 1987). A PE that computes holds the wave up, so a busy job is not disturbed. A PE that
// is alone answers at one moment, so one wave is enough there.
//
// When somebody waits, the first wave begins at once: in a job whose PEs wait when their work is done it finds
// that. Where it was in vain, messages were on the way while PE 0 was idle; then the next waits begin theirs when PE 0
// has been idle for a while, which gives messages time.
//
// Where a task of every PE has waited, all PEs look together the next time (symmetric_termination.hpp), and PE 0 begins
// its wave only when that has taken a while. Either may end a wait, on some PEs the one and on some the other. So the
// waits that have ended are counted, a wave tells quiescence only if no PE had gone on from this wait by the time of
// its second answer, and the order to go on is obeyed by those that have not.
//
// What follows quiescence: tasks that wait for it resume; else, if all programs have returned, the job
// ends; else what waits does so for ever, which is reported with every waiting task, and ends the job: with the largest
// code that a program has returned, for that is the reason then, or as a deadlock.
//
// If two waves find the same counts, more sent than executed or the reverse, and the first of them no batch
// under way, then a message was lost or doubled: the job ends, and the error names its handler. (It must be the
// first: what was sent before it had been released, so executed, by then; whereas what the second does not find
// under way may have been executed while it went round.) On a grid a packet is released by each PE on its way, so that
// it may move on behind a wave's back, by one link a wave: as many waves as it may have links must find that, then one
// more.
//
// What a wave and its consequences send is not counted, and all of it goes down the same tree, so that
// a wave never overtakes the news of the one before. What comes from elsewhere, or out of turn, is no PE's: it ends the
// job, which would else wait for ever, or end too early.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/remote/termination/symmetric_termination.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::remote {

class pe;

class quiescence {
 public:
  explicit quiescence(pe& owner);

  // PE 0 only.
  void expect_programs(int count) { programs_ = programs_left_ = count; }
  // The program of `whose` has returned `code`.
  void program_ended(int code, pe_id whose = 0);
  // PE 0 only: `run` is called once when nothing is left to do but to end the job, or to report its deadlock; what it
  // starts and sends is done first.
  void before_the_end(void (*run)()) { before_the_end_ = run; }

  // Called again and again while the PE is idle. True if it sent something.
  bool on_idle();
  // on_idle() has something to send as soon as the PE is idle; else that may wait until it has been for a while.
  bool due() const;
  // The PE has run a task: what was learned about waiting is stale.
  void on_activity() { wave_delay_ns_ = first_delay(); }
  // Nanoseconds until on_idle() wants to be called again; a large number if only a message matters.
  std::int64_t patience_ns() const;

  bool ended() const { return ended_; }
  int exit_code() const { return code_; }

  // Waves that have reached this PE. Each takes 2 (P - 1) messages.
  std::uint32_t waves() const { return wave_; }

  // Waits that quiescence ends.
  void add_waiter(wait_record& waiter);

  // By the handlers. An order comes down the tree: the wave that asks, then perhaps what follows from its answers.
  void check_order(pe_id from, std::uint32_t wave, bool asks);
  void probe(std::uint32_t wave);
  void answer(pe_id from, std::uint32_t wave, std::uint64_t sent, std::uint64_t executed, std::uint64_t under_way,
              std::uint32_t waiting_pes, std::uint64_t waits_ended);
  void release(std::uint64_t waits_ended, bool look_together);
  void looked(pe_id from, symmetric_termination::place at, symmetric_termination::sums theirs);
  void settle();
  void end(int code);
  void report();
  void reported(pe_id from, std::string waiting);

 private:
  static constexpr std::int64_t first_delay_ns = 20'000;
  static constexpr std::int64_t longest_delay_ns = 10'000'000;
  static constexpr int patient_waits = 8;  // after a wave in vain: this wait and the seven behind it
  static constexpr std::int64_t delay_beside_looks_ns = 100'000;
  std::int64_t first_delay() const;
  void want_wave();

  bool looks_together() const { return together_ && !waiters_.empty(); }
  bool look_if_idle();
  void end_wait(std::size_t waiters);
  void add_waits_ended(std::uint64_t theirs);
  std::string why_it_stands_still() const;

  void start_wave();
  void decide();
  template <class H, class... V>
  void order_children(V... values);

  pe& pe_;
  std::vector<wait_record*> waiters_;
  bool together_ = false;  // the next wait begins with looks of all PEs
  symmetric_termination looks_;
  // Who waits at both looks, or answers, waits for what these find. Who has come between them was woken by a message of
  // a PE that has gone on already.
  std::size_t waiters_at_look_ = 0, waiters_at_look_before_ = 0;
  bool ended_ = false;
  int code_ = 0;

  // The wave that this PE takes part in: asked for and not yet answered.
  bool asked_ = false;
  std::uint32_t wave_ = 0;
  bool order_followed_ = true;  // the wave's answers have had their consequence here
  int answers_left_ = 0;
  std::uint64_t sum_sent_ = 0;
  std::uint64_t sum_executed_ = 0;
  std::uint64_t sum_under_way_ = 0;
  std::uint32_t waiting_pes_ = 0;
  // On the PEs that have answered: how many at least, and from bit 48 on how many more at most.
  std::uint64_t waits_ended_there_ = 0;
  bool anyone_answered_ = false;
  std::uint64_t waits_ended_at_answer_ = 0;
  std::size_t waiters_at_answer_ = 0, waiters_at_answer_before_ = 0;

  // PE 0.
  int programs_ = 0, programs_left_ = 0;
  struct returned_code {
    pe_id whose;
    int code;
  };
  std::vector<returned_code> failed_;  // of programs that have returned another code than 0: the first few
  int more_failed_ = 0;
  void (*before_the_end_)() = nullptr;
  std::uint64_t executed_before_ = ~std::uint64_t{0};  // by the wave before
  std::uint64_t sent_before_ = ~std::uint64_t{0};
  std::uint64_t waits_ended_before_ = ~std::uint64_t{0};
  int apart_ = 0;             // waits that shall not begin with looks
  int quiet_waves_ = 0;       // one after the other up to the wave before: the same counts, no batch under way
  bool looks_again_ = false;  // the wave under way follows the one before without a delay
  bool wanted_ = false;       // by somebody who waits: a wave at once, which has not begun
  bool hasty_ = false;        // the wave under way was begun so, or is the second look of one that was
  int patience_ = 0;          // waits for quiescence that shall not begin with a wave at once
  std::int64_t next_wave_ns_ = 0;
  std::int64_t wave_delay_ns_ = first_delay_ns;
  int reports_left_ = 0;
  std::vector<std::string> reports_;
};

// `co_await quiescence()`: resumes when no other task is ready and no packet is in flight, on any PE.
class quiescence_awaiter {
 public:
  quiescence_awaiter() : record_("quiescence", nullptr) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);
  void await_resume() const noexcept;

 private:
  wait_record record_;
};

}  // namespace tsubu::remote

namespace tsubu {

// Waits until nothing is left to do anywhere but what waits for quiescence. Any number of tasks on any
// PEs may wait; all resume together.
// Local; blocks until nothing is left to do; throws nothing.
[[nodiscard]] inline remote::quiescence_awaiter quiescence() { return remote::quiescence_awaiter(); }

}  // namespace tsubu
