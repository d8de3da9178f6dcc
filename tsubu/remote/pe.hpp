// The processing element: where tasks and messages meet.
//
// A PE is a step(): run ready tasks, take one arrived batch, or send what is gathered. The threads and
// MPI drivers loop on it; it never blocks. When there is nothing to do for a while it helps to find
// out whether the whole job is quiescent, and then sleeps in its transport.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/remote/backlog.hpp"
#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/remote/no_pe.hpp"
#include "tsubu/remote/termination/epochs.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::remote {

class accounting;
class collective_box;
class deferred_sends;
class idle_watcher;
class outside_source;
class outside_sources;
class quiescence;
class wait_reports;
class waits_for_room;

class pe {
  // What the messages go through, if their limits want a checksum; else null.
  const detail::owned<transport::transport> checked_;

 public:
  using limits = message::limits;
  explicit pe(transport::transport& below, const limits& most = {});
  ~pe();
  pe(const pe&) = delete;
  pe& operator=(const pe&) = delete;

  pe_id number() const { return messages.pe(); }
  // More PEs than cores: transport::shares_cores().
  bool shares_cores() const { return transport_.shares_cores(); }
  pe_id count() const { return messages.pe_count(); }

  // Makes this the PE of the calling thread; what step() runs finds it through this_pe() and the like.
  void enter();
  void leave();

  // One step. False if there was nothing to do.
  bool step();

  // Steps until the job ends, everywhere; returns its exit code. The job ends when every program that
  // was announced has returned and nothing is left to run or in flight.
  int run_to_end();

  // For what drives several PEs in one thread: run_to_end() turn by turn, as driven_pe says
  // (tsubu/base/simulated_machine.hpp).
  void begin_turn();
  std::int64_t end_turn();
  bool take_last_turn();
  // Its thread looks now and then, whatever it waits for.
  static constexpr std::int64_t longest_sleep_ns = 100'000'000;
  // Around a sleep of its thread, which took so long.
  void before_sleep();
  void after_sleep(std::int64_t slept_ns);

  // What a floor above keeps for the PE that runs where several share a thread: called by each enter() from now on.
  void when_entered(void (*set)()) { when_entered_ = set; }

  // PE 0 only: how many programs will report their end.
  void expect_programs(int count);

  // Resumes `task` when there is room to send to `to`, or, if that is no_pe, to all.
  void resume_with_room(pe_id to, ready_item task);

  // `task` is resumed in the next step, however many others are ready; until then the PE is not idle.
  void resume_in_next_step(ready_item task);

  // `messages_of` is asked to send what it has when this PE would send, once.
  void defer(deferred_sends& messages_of);
  void watch_idle(idle_watcher& w);
  // Sends what is deferred and gathered. False if there was nothing.
  bool flush(message::flush_reason reason);

  // What comes from outside the job is taken in, and the PE is not idle, until the source has ended.
  void take_in_from(std::shared_ptr<outside_source> source);

  // Nothing is ready, unsent, lent or due; only messages can change that.
  bool idle() const;

  // Touched by what runs on this PE.
  task_context tasks;
  message::endpoint messages;
  reply_table replies;
  segment_table segments;
  remote::epochs epochs;
  backlog behind{messages};
  const detail::owned<collective_box> collectives;

 private:
  struct parts;
  const detail::owned<parts> parts_;

 public:
  // Asked when the PE is idle, and at the end. Whoever uses them includes their headers; whoever only sends need not.
  remote::quiescence& quiescence;
  accounting& accounts;
  wait_reports& waits;

  // For pe_local<T> (pe_local.hpp): keeps the value of that number, and destroys it at the end.
  void keep_local(std::uint32_t number, void* value, void (*destroy)(void*));

  transport::transport& transport() { return transport_; }
  const transport::transport& transport() const { return transport_; }

  // What runs now has taken long: of the batches that have arrived meanwhile several are taken in next, not one.
  void runs_long() { ran_long_ = true; }
  // How many tasks it has resumed.
  std::uint64_t tasks_run() const { return tasks_run_; }
  // Nanoseconds it has slept, with nothing to do.
  std::int64_t slept_ns() const { return slept_ns_; }
  // Nanoseconds its tasks have run, if time_tasks() was called before.
  void time_tasks() { times_tasks_ = true; }
  std::int64_t in_tasks_ns() const;

 private:
  int run_ready();
  bool take_in(int ran);
  bool take_a_batch(bool has_run);
  bool take_in_from_outside();
  void run_those_of_this_step();
  std::int64_t may_sleep_ns() const;
  void flush_if_old();
  void sleep();

  struct made_local {
    std::uint32_t number;
    void* value;
    void (*destroy)(void*);
  };

  // Constant after construction, or after the floors above have made themselves known.
  transport::transport& transport_;
  std::vector<idle_watcher*> idle_watchers_;
  void (*when_entered_)() = nullptr;

  // Touched by what runs on this PE, and by a step that looks after it.
  detail::owned_array<void*> locals_;  // by number; it has room for those declared by now, and a few more
  std::vector<made_local> locals_made_;
  waits_for_room& room_waiters_;
  std::vector<deferred_sends*> deferred_;  // each once
  outside_sources& outside_;
  std::vector<ready_item> in_next_step_;

  // Touched by steps only.
  std::uint64_t steps_ = 0;
  std::uint64_t tasks_run_ = 0;
  std::uint64_t unsent_since_ticks_ = 0;  // 0 = nothing is unsent, or nobody has looked yet
  std::int64_t slept_ns_ = 0;
  std::int64_t in_tasks_ns_ = 0;     // until they last returned to the step
  std::int64_t tasks_since_ns_ = 0;  // they run now, since then; 0: they do not
  bool times_tasks_ = false;
  int ran_in_turn_ = 0;
  int arrivals_first_ = 0;  // batches executed since senders were last resumed
  bool ran_tasks_ = false;  // in the last step
  bool ran_long_ = false;
};

// The PE that runs on this thread now.
inline thread_local constinit pe* current_pe = nullptr;

}  // namespace tsubu::remote

namespace tsubu {

// The number of the PE that runs this.
// Local; does not block; outside a job it ends the process.
[[gnu::always_inline]] inline pe_id this_pe() {
  if (remote::current_pe == nullptr) [[unlikely]]
    remote::outside_a_job("this_pe()");
  return remote::current_pe->number();
}

// How many PEs the job has.
// Local; does not block; outside a job it ends the process.
[[gnu::always_inline]] inline pe_id pe_count() {
  if (remote::current_pe == nullptr) [[unlikely]]
    remote::outside_a_job("pe_count()");
  return remote::current_pe->count();
}

}  // namespace tsubu
