#include "tsubu/remote/pe.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/message/prediction.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/remote/ended_pe.hpp"
#include "tsubu/remote/outside_sources.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/step_hooks.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/remote/wait_reports.hpp"
#include "tsubu/remote/waits_for_room.hpp"
#include "tsubu/transport/checked/checked.hpp"

namespace tsubu::remote {
namespace {

// A batch of up to so many packets is not taken for part of a crowd.
constexpr std::uint64_t lone_packets = 4;

// What has arrived goes before new sends: a message is executed while it is in the cache, and fewer are on
// the way. But a PE that others keep busy goes on with its own work after so many batches.
constexpr int most_arrivals_first = 16;

}  // namespace

// What a send does not touch.
struct pe::parts {
  explicit parts(pe& of) : quiescence(of), accounts(of) {}
  waits_for_room room_waiters;
  outside_sources outside;
  remote::quiescence quiescence;
  accounting accounts;
  wait_reports waits;
  // When a step began that follows one whose tasks have more to do, and how long its tasks have run; else 0.
  std::uint64_t began_ticks = 0;
  std::uint64_t computed_ticks = 0;
};

pe::pe(transport::transport& below, const message::limits& most)
    : checked_(most.checksum ? std::make_unique<transport::checked>(below) : nullptr),
      messages(checked_ != nullptr ? *checked_ : below, most),
      epochs(*this),
      collectives(std::make_unique<collective_box>(messages.pe(), messages.pe_count())),
      parts_(std::make_unique<parts>(*this)),
      quiescence(parts_->quiescence),
      accounts(parts_->accounts),
      waits(parts_->waits),
      transport_(checked_ != nullptr ? *checked_ : below),
      room_waiters_(parts_->room_waiters),
      outside_(parts_->outside) {
  const std::uint32_t places = std::min(most_locals, pe_local_count + late_locals);
  locals_ = std::make_unique<void*[]>(places);
  std::uint32_t room = pe_local_room;
  while (places < room && !pe_local_room.compare_exchange_weak(room, places)) {
  }
}

pe::~pe() {
  if (messages.prediction() != nullptr) messages.prediction()->finish();
  const ended_pe destroys;
  // In the reverse order of their making: a later one may use an earlier one.
  while (!locals_made_.empty()) {
    const made_local last = locals_made_.back();
    locals_made_.pop_back();
    locals_[last.number] = nullptr;
    last.destroy(last.value);
  }
  if (current_pe == this) leave();
}

void pe::keep_local(std::uint32_t number, void* value, void (*destroy)(void*)) {
  locals_made_.push_back({number, value, destroy});
  locals_[number] = value;
}

void keep_local(std::uint32_t number, void* value, void (*destroy)(void*)) {
  current_pe->keep_local(number, value, destroy);
}

void pe::expect_programs(int count) { quiescence.expect_programs(count); }

void pe::enter() {
  current_pe = this;
  current_locals = locals_.get();
  message::set_this_endpoint(&messages);
  this_task_context = &tasks;
  if (when_entered_ != nullptr) when_entered_();
}

void pe::leave() {
  current_pe = nullptr;
  current_locals = no_locals;
  message::set_this_endpoint(nullptr);
  this_task_context = nullptr;
}

// Below that, no look at what is unsent is worth its while.
static constexpr std::uint64_t least_computed_ticks = 2'000;

bool pe::step() { return take_in(run_ready()); }

int pe::run_ready() {
  if (tasks.empty()) return 0;
  // It runs no more tasks than are ready now, so that tasks that yield let arrivals in.
  constexpr int tasks_a_step = 64;
  if (times_tasks_) tasks_since_ns_ = now_ns();
  const int ran = tasks.run_some(std::min(tasks_a_step, tasks.ready_now()));
  if (times_tasks_) in_tasks_ns_ += now_ns() - std::exchange(tasks_since_ns_, 0);
  tasks_run_ += static_cast<std::uint64_t>(ran);
  const std::uint64_t began = std::exchange(parts_->began_ticks, 0);
  parts_->computed_ticks = began != 0 ? ticks() - began : 0;
  send_the_first();
  // A lone task that now waits for another PE: what it has sent does not wait for a poll, which may be slow.
  if (ran == 1 && tasks.empty() && room_waiters_.empty()) messages.flush(message::flush_reason::idle);
  return ran;
}

// A PE that is behind with its objects' messages takes no more of them in.
bool pe::take_a_batch(bool has_run) {
  if (!behind.behind() || behind.gives_way(has_run)) [[likely]]
    return messages.run_arrived();
  messages.take_nothing();
  return false;
}

bool pe::take_in(int ran) {
  ran_tasks_ = ran > 0;
  if (ran_tasks_) messages.has_worked();
  const std::uint64_t taken_before = messages.counted().packets_taken();
  const bool arrived = take_a_batch(ran > 0);
  if (std::exchange(ran_long_, false)) {
    parts_->computed_ticks = 0;  // a slice of objects or of items, whose sharing with idle PEs goes by batches' age
    constexpr int most_after_long = 64;
    for (int i = 1; i < most_after_long && take_a_batch(ran > 0); ++i) continue;
  }
  send_the_first();
  const bool lone = messages.counted().packets_taken() - taken_before <= lone_packets;
  bool more = arrived || ran > 0;
  if (!outside_.empty()) [[unlikely]]
    more |= take_in_from_outside();
  if (!in_next_step_.empty()) [[unlikely]] {
    run_those_of_this_step();
    more = true;
  }
  if (!room_waiters_.empty() && (!arrived || ++arrivals_first_ >= most_arrivals_first)) {
    arrivals_first_ = 0;
    more |= room_waiters_.resume(messages, tasks);
  }
  if (tasks.next_deadline_ns() != task_context::no_deadline) more |= tasks.run_timers(tasks.now()) > 0;
  // With no crowd there is nothing to wait for: the answer to a lone packet leaves at once, too.
  if (tasks.empty() && (!arrived || (lone && room_waiters_.empty()))) {
    epochs.settle();
    for (idle_watcher* const w : idle_watchers_) w->on_idle();
    more |= flush(message::flush_reason::idle);
    unsent_since_ticks_ = 0;
    messages.idle();  // also behind an answer that has just left
  } else if (messages.has_unsent() || epochs.unsettled() || !deferred_.empty()) {
    flush_if_old();
  }
  // A task that an answer has just made ready begins at once: the clock is not looked at for it.
  if (ran_tasks_ && !tasks.empty()) parts_->began_ticks = ticks();
  // Polling may have made tasks ready without a batch: by the end of a bulk.
  return more || !tasks.empty();
}

void pe::resume_in_next_step(ready_item task) { in_next_step_.push_back(task); }

void pe::defer(deferred_sends& messages_of) { deferred_.push_back(&messages_of); }

void pe::watch_idle(idle_watcher& w) { idle_watchers_.push_back(&w); }

void pe::resume_with_room(pe_id to, ready_item task) { room_waiters_.add(to, task); }

void pe::take_in_from(std::shared_ptr<outside_source> source) { outside_.add(std::move(source)); }

bool pe::flush(message::flush_reason reason) {
  for (deferred_sends* k : deferred_) k->send_all();
  deferred_.clear();
  replies.set_awaited_unsent(false);
  return messages.flush(reason);
}

// Between two looks at a batch's age are eight steps, since most are short. If tasks have run for longer than a batch
// may become old, they will most likely do so again, and what somebody waits for leaves behind them: a PE that computes
// between two yields answers after each of them. What nobody waits for is left to be sent with more of its like.
void pe::flush_if_old() {
  const std::uint64_t computed = parts_->computed_ticks;
  const bool has_computed =
      computed > least_computed_ticks && replies.awaited_unsent() && computed > messages.oldest_ticks();
  const bool is_eighth = (++steps_ & 7U) == 0;
  if (!is_eighth && !has_computed) return;
  if (is_eighth) epochs.settle();  // what an epoch owes for work that has been moved may wait longer than an answer
  const std::uint64_t now = ticks();
  if (is_eighth && unsent_since_ticks_ != 0 && now - unsent_since_ticks_ > messages.oldest_ticks()) {
    flush(message::flush_reason::old);
    unsent_since_ticks_ = 0;
  } else if (has_computed) {
    // What is deferred is there to meet its like, so it does not leave with each answer.
    replies.set_awaited_unsent(false);
    messages.flush(message::flush_reason::old);
    if (deferred_.empty()) {
      unsent_since_ticks_ = 0;
    } else if (unsent_since_ticks_ == 0) {
      unsent_since_ticks_ = now;
    }
  } else if (unsent_since_ticks_ == 0) {
    unsent_since_ticks_ = now;
  }
}

bool pe::take_in_from_outside() {
  const bool any = outside_.take_in();
  send_the_first();
  outside_.let_go_of_ended();
  return any;
}

void pe::run_those_of_this_step() {
  for (const ready_item task : std::exchange(in_next_step_, {})) tasks.run_one(task);
  send_the_first();
}

bool pe::idle() const {
  return outside_.empty() && tasks.empty() && in_next_step_.empty() && !messages.has_unsent() &&
         !messages.has_waiting() && !messages.has_arrived() && !epochs.unsettled() && room_waiters_.empty() &&
         collectives->awaited_sends == 0 && tasks.next_deadline_ns() == task_context::no_deadline;
}

int pe::run_to_end() {
  const int spins = transport_.spin_polls();
  int idle_steps = 0;
  while (!quiescence.ended()) {
    if (step()) {
      if (ran_tasks_) quiescence.on_activity();
      idle_steps = 0;
    } else if (++idle_steps < spins && !(quiescence.due() && idle())) {
      continue;
    } else if (!quiescence.on_idle()) {
      sleep();
    }
  }
  flush(message::flush_reason::idle);
  while (take_last_turn()) continue;
  transport_.close();
  return quiescence.exit_code();
}

void pe::begin_turn() { ran_in_turn_ = run_ready(); }

std::int64_t pe::end_turn() {
  if (take_in(ran_in_turn_)) {
    if (ran_tasks_) quiescence.on_activity();
    return 0;
  }
  return quiescence.on_idle() ? 0 : may_sleep_ns();
}

// Sends the news of the end; what waits for room holds up what is being filled for the same PE.
bool pe::take_last_turn() {
  if (!messages.has_waiting() && !messages.has_unsent()) return false;
  messages.run_arrived();
  messages.flush(message::flush_reason::idle);
  return true;
}

std::int64_t pe::may_sleep_ns() const {
  std::int64_t ns = quiescence.patience_ns();
  if (tasks.next_deadline_ns() != task_context::no_deadline) ns = std::min(ns, tasks.next_deadline_ns() - tasks.now());
  // Nobody tells when there is room again, so it looks soon.
  if (!room_waiters_.empty() || messages.has_waiting()) ns = std::min<std::int64_t>(ns, 100'000);
  return ns;
}

void pe::sleep() {
  const std::int64_t ns = std::min(may_sleep_ns(), longest_sleep_ns);
  if (ns <= 0) return;
  const std::int64_t from_ns = tasks.now();
  before_sleep();
  transport_.wait((ns + 999) / 1000);
  after_sleep(tasks.now() - from_ns);
}

void pe::before_sleep() { outside_.before_sleep(); }

void pe::after_sleep(std::int64_t slept_ns) {
  outside_.after_sleep();
  slept_ns_ += slept_ns;
}

std::int64_t pe::in_tasks_ns() const { return in_tasks_ns_ + (tasks_since_ns_ != 0 ? now_ns() - tasks_since_ns_ : 0); }

}  // namespace tsubu::remote
