#include "tsubu/remote/pe.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/job_names.hpp"
#include "tsubu/base/program_lines.hpp"
#include "tsubu/base/program_text.hpp"
#include "tsubu/base/sanitized_program.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/message/prediction.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/collective_box.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/quiescence.hpp"
#include "tsubu/task/back_trace.hpp"
#include "tsubu/transport/checked/checked.hpp"

namespace tsubu::remote {

namespace {
// A batch of up to so many packets is not taken for part of a crowd.
constexpr std::uint64_t lone_packets = 4;

// What has arrived goes before new sends: a message is executed while it is in the cache, and fewer are on
// the way. But a PE that others keep busy goes on with its own work after so many batches.
constexpr int most_arrivals_first = 16;

std::string line_of(const std::source_location& at) {
  return std::string(at.file_name()) + ':' + std::to_string(at.line());
}

// The program's lines that await the task of that wait, nearest first, without folders, so that many can be read:
// "tsubu:     awaited at work.cpp:20, tree.cpp:31 (9 times), main.cpp:7".
std::string awaited_at(const wait_record& w) {
  constexpr std::size_t most = 8;
  struct awaiting_line {
    std::string text;
    int times;
  };
  std::vector<awaiting_line> lines;
  // The task of an awaited call of ours, such as epoch(), waits at the line that awaits it.
  bool is_the_same_line = true;
  detail::for_each_that_waits(w, [&](const detail::promise_base& task) {
    if (!task.parent()) return false;
    const std::source_location at = task.awaited_at();
    if (is_of_the_runtime(at.file_name())) return true;
    std::string text = line_of(at);
    if (std::exchange(is_the_same_line, false) && text == line_of(w.where)) return true;
    text.erase(0, text.rfind('/') + 1);
    if (!lines.empty() && lines.back().text == text)
      ++lines.back().times;
    else
      lines.push_back({std::move(text), 1});
    return true;
  });
  std::string all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == most) {
      all += ", and " + std::to_string(lines.size() - most) + " more";
      break;
    }
    all += (i == 0 ? "tsubu:     awaited at " : ", ") + lines[i].text;
    if (lines[i].times > 1) all += " (" + std::to_string(lines[i].times) + " times)";
  }
  return all.empty() ? all : all + '\n';
}
}  // namespace

namespace {

std::string own_thread() {
  std::array<char, 16> name{};
  ::pthread_getname_np(::pthread_self(), name.data(), name.size());
  return "thread " + std::to_string(::gettid()) + " (" + name.data() + ")";
}

// What has been done, by what has no PE. Who it was is seen best by the line of the program, a destructor's for
// example.
[[noreturn]] void fail_without_a_pe(const std::string& done) {
  std::string line = done;
  switch (detail::job_names::now()) {
    case detail::job_names::moment::before_the_first:
      line += " outside a job, before the first: call it in the program given to run()";
      break;
    case detail::job_names::moment::after:
      line +=
          " outside a job, which has ended: call it in the program given to run(), or does a destructor do so, of what "
          "the job should not leave behind?";
      break;
    case detail::job_names::moment::during:
      line += " outside a job, by " + own_thread() +
              ", which is no PE of the one that runs: a thread of the program's own goes through a gate, which a PE "
              "gives it: "
              "in = gate(), and then in.post(...)";
  }
  const bool sanitized = sanitizer::has_address() || sanitizer::has_thread();  // which tells the line itself
  const std::string place = sanitized ? "" : line_of_the_program();
  fail(place.empty() ? line : line + "; it was " + place);
}

}  // namespace

void outside_a_job(const char* what) { fail_without_a_pe(std::string(what) + " was called"); }

void outside_a_job(const wire::handler_entry& message) {
  fail_without_a_pe("a message of " + readable(message.name) + " was sent");
}

void local_outside_a_job(const std::type_info& type) {
  const std::string name = readable(type);
  if (name.starts_with("tsubu::objects::")) fail_without_a_pe("a message to an object, or for a new one, was sent");
  if (name.starts_with("tsubu::data::")) fail_without_a_pe("shared data was used");
  fail_without_a_pe("a pe_local<" + name + "> was used");
}

bool job_goes_on() { return current_pe != nullptr && !current_pe->quiescence.ended(); }

void no_such_pe(const std::string& number) {
  if (current_pe == nullptr) outside_a_job("a send");
  fail("a message for PE " + number + ", but the job's PEs are 0 to " + std::to_string(current_pe->count() - 1));
}

// What is asked at the end of a job: is it at rest, and has each message arrived?
struct pe::ending {
  explicit ending(pe& of) : quiescence(of), accounts(of) {}
  remote::quiescence quiescence;
  accounting accounts;
};

pe::pe(transport::transport& below, const message::limits& most)
    : checked_(most.checksum ? std::make_unique<transport::checked>(below) : nullptr),
      messages(checked_ != nullptr ? *checked_ : below, most),
      epochs(*this),
      collectives(std::make_unique<collective_box>(messages.pe(), messages.pe_count())),
      ending_(std::make_unique<ending>(*this)),
      quiescence(ending_->quiescence),
      accounts(ending_->accounts),
      transport_(checked_ != nullptr ? *checked_ : below) {
  const std::uint32_t places = std::min(most_locals, pe_local_count + late_locals);
  locals_ = std::make_unique<void*[]>(places);
  std::uint32_t room = pe_local_room;
  while (places < room && !pe_local_room.compare_exchange_weak(room, places)) {
  }
}

pe::~pe() {
  if (messages.prediction() != nullptr) messages.prediction()->finish();
  // In the reverse order of their making: a later one may use an earlier one.
  while (!locals_made_.empty()) {
    const made_local last = locals_made_.back();
    locals_made_.pop_back();
    locals_[last.number] = nullptr;
    last.destroy(last.value);
  }
  if (current_pe == this) leave();
}

void pe::resume_with_room(pe_id to, ready_item task) { room_waiters_.push_back({to, task}); }

void pe::defer(deferred_sends& messages_of) { deferred_.push_back(&messages_of); }

void pe::take_in_from(std::shared_ptr<outside_source> source) { outside_.push_back(std::move(source)); }

void pe::describe_waits_by(wait_describer d) { wait_describers_.push_back(d); }

void pe::report_waits_by(wait_reporter r) { wait_reporters_.push_back(r); }

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

bool pe::step() { return take_in(run_ready()); }

int pe::run_ready() {
  if (tasks.empty()) return 0;
  // It runs no more tasks than are ready now, so that tasks that yield let arrivals in.
  constexpr int tasks_a_step = 64;
  if (times_tasks_) tasks_since_ns_ = now_ns();
  const int ran = tasks.run_some(std::min(tasks_a_step, tasks.ready_now()));
  if (times_tasks_) in_tasks_ns_ += now_ns() - std::exchange(tasks_since_ns_, 0);
  tasks_run_ += static_cast<std::uint64_t>(ran);
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
  if (ran_tasks_) messages.busy();
  const std::uint64_t taken_before = messages.counted().packets_taken();
  const bool arrived = take_a_batch(ran > 0);
  if (std::exchange(ran_long_, false)) {
    constexpr int most_after_long = 64;
    for (int i = 1; i < most_after_long && take_a_batch(ran > 0); ++i) continue;
  }
  send_the_first();
  const bool lone = messages.counted().packets_taken() - taken_before <= lone_packets;
  bool more = arrived || ran > 0;
  if (!outside_.empty()) [[unlikely]]
    more |= take_in_from_outside();
  if (!room_waiters_.empty() && (!arrived || ++arrivals_first_ >= most_arrivals_first)) {
    arrivals_first_ = 0;
    more |= resume_those_with_room();
  }
  if (tasks.next_deadline_ns() != task_context::no_deadline) more |= tasks.run_timers(tasks.now()) > 0;
  // With no crowd there is nothing to wait for: the answer to a lone packet leaves at once, too.
  if (tasks.empty() && (!arrived || (lone && room_waiters_.empty()))) {
    epochs.settle();
    if (idle_watcher_ != nullptr) idle_watcher_->on_idle();
    more |= flush(message::flush_reason::idle);
    unsent_since_ticks_ = 0;
    messages.idle();  // also behind an answer that has just left
  } else if (messages.has_unsent() || epochs.unsettled() || !deferred_.empty()) {
    flush_if_old();
  }
  // Polling may have made tasks ready without a batch: by the end of a bulk.
  return more || !tasks.empty();
}

bool pe::flush(message::flush_reason reason) {
  for (deferred_sends* k : deferred_) k->send_all();
  deferred_.clear();
  return messages.flush(reason);
}

void pe::flush_if_old() {
  if ((++steps_ & 7U) != 0) return;
  epochs.settle();
  const std::uint64_t now = ticks();
  if (unsent_since_ticks_ == 0) {
    unsent_since_ticks_ = now;
  } else if (now - unsent_since_ticks_ > messages.oldest_ticks()) {
    flush(message::flush_reason::old);
    unsent_since_ticks_ = 0;
  }
}

bool pe::resume_those_with_room() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < room_waiters_.size(); ++i) {
    const room_waiter w = room_waiters_[i];
    if (messages.has_turn(w.to)) {
      tasks.ready(w.task);
    } else {
      room_waiters_[kept++] = w;
    }
  }
  const bool any = kept < room_waiters_.size();
  room_waiters_.resize(kept);
  return any;
}

bool pe::take_in_from_outside() {
  bool any = false;
  // What comes in may open another.
  for (std::size_t i = 0; i < outside_.size(); ++i) any |= std::shared_ptr(outside_[i])->take_in();
  send_the_first();
  std::erase_if(outside_, [](const std::shared_ptr<outside_source>& source) { return source->ended(); });
  return any;
}

bool pe::idle() const {
  return outside_.empty() && tasks.empty() && !messages.has_unsent() && !messages.has_waiting() &&
         !messages.has_arrived() && !epochs.unsettled() && room_waiters_.empty() && collectives->lending == 0 &&
         tasks.next_deadline_ns() == task_context::no_deadline;
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

void pe::before_sleep() {
  for (const std::shared_ptr<outside_source>& source : outside_) source->before_sleep();
}

void pe::after_sleep(std::int64_t slept_ns) {
  for (const std::shared_ptr<outside_source>& source : outside_) source->after_sleep();
  slept_ns_ += slept_ns;
}

std::int64_t pe::in_tasks_ns() const { return in_tasks_ns_ + (tasks_since_ns_ != 0 ? now_ns() - tasks_since_ns_ : 0); }

pe::wait_text pe::describe(const wait_record& w) const {
  wait_text known;
  for (const wait_describer d : wait_describers_) {
    wait_text text = d(w);
    if (known.who.empty()) known.who = std::move(text.who);
    if (known.whom.empty()) known.whom = std::move(text.whom);
  }
  if (known.who.empty()) known.who = "a task";
  if (known.whom.empty()) known.whom = replies.describe(w.object);
  if (known.whom.empty()) known.whom = collectives->describe(w.object);
  return known;
}

// A few are shown of those that wait at one place of the program, so that a thousand of them do not hide the others.
std::string pe::waiting_tasks() const {
  constexpr int most_lines = 50, most_of_a_place = 10;
  const std::string begin = "tsubu:   PE " + std::to_string(number()) + ": ";
  std::string text;
  int lines = 0;
  struct count {
    int waiting = 0, shown = 0;
  };
  std::map<std::string, count> by_place;
  tasks.for_each_waiting([&](const wait_record& w) {
    const std::string at = ", at " + line_of(w.where);
    count& here = by_place[w.what + at];
    if (++here.waiting > most_of_a_place || lines == most_lines) return;
    ++here.shown;
    ++lines;
    const wait_text known = describe(w);
    text += begin + known.who + " waits for " + w.what;
    if (!known.whom.empty()) text += " (" + known.whom + ")";
    text += at + '\n' + awaited_at(w);
  });
  for (const auto& [place, here] : by_place) {
    const int left = here.waiting - here.shown;
    if (left > 0) text += begin + "and " + std::to_string(left) + " more wait for " + place + '\n';
  }
  for (const std::string& line : collectives->unasked(most_lines)) text += begin + line + '\n';
  for (const wait_reporter r : wait_reporters_) {
    std::vector<std::string> reported = r();
    const std::size_t shown = std::min<std::size_t>(reported.size(), most_lines);
    for (std::size_t i = 0; i < shown; ++i) text += begin + reported[i] + '\n';
    if (shown < reported.size()) text += begin + "and " + std::to_string(reported.size() - shown) + " like these\n";
  }
  return text;
}

}  // namespace tsubu::remote
