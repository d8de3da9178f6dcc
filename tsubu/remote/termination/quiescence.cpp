#include "tsubu/remote/termination/quiescence.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/line_teller.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/standstill.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu::remote {
namespace {

using message::delivery;

struct probe_pe : message::uncounted {
  using layout = wire::layout<std::uint32_t>;
  static void call(const delivery& d, std::uint32_t wave) {
    current_pe->quiescence.check_order(d.from, wave, true);
    current_pe->quiescence.probe(wave);
  }
};
struct answer_probe : message::uncounted {
  using layout = wire::layout<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint64_t>;
  static void call(const delivery& d, std::uint32_t wave, std::uint64_t sent, std::uint64_t executed,
                   std::uint64_t under_way, std::uint32_t waiting_pes, std::uint64_t waits_ended) {
    current_pe->quiescence.answer(d.from, wave, sent, executed, under_way, waiting_pes, waits_ended);
  }
};
// What follows from a wave's answers, on every PE.
template <auto Member, class... V>
struct consequence : message::uncounted {
  using layout = wire::layout<std::uint32_t, V...>;
  static void call(const delivery& d, std::uint32_t wave, V... values) {
    current_pe->quiescence.check_order(d.from, wave, false);
    (current_pe->quiescence.*Member)(values...);
  }
};
struct release_waiters : consequence<&quiescence::release, std::uint64_t, bool> {};
// Its code stands there twice: a damaged one would end the job with another code, and without a word.
struct end_pe : message::uncounted {
  using layout = wire::layout<std::uint32_t, std::int32_t, std::int32_t>;
  static void call(const delivery& d, std::uint32_t wave, std::int32_t code, std::int32_t inverse) {
    current_pe->quiescence.check_order(d.from, wave, false);
    require(inverse == ~code, "PE {} tells a damaged exit code", d.from);
    current_pe->quiescence.end(code);
  }
};
struct settle_accounts : consequence<&quiescence::settle> {};
struct report_waiting : consequence<&quiescence::report> {};
// How many waits have ended on each of some PEs: the least, in 48 bits, and how many more at most.
constexpr int bits_of_least = 48;
bool differ(std::uint64_t waits) { return waits >> bits_of_least != 0; }
std::uint64_t joined_waits(std::uint64_t some, std::uint64_t others) {
  const auto least_of = [](std::uint64_t waits) { return waits & ((std::uint64_t{1} << bits_of_least) - 1); };
  const auto most_of = [&](std::uint64_t waits) { return least_of(waits) + (waits >> bits_of_least); };
  const std::uint64_t least = std::min(least_of(some), least_of(others));
  const std::uint64_t most = std::max(most_of(some), most_of(others));
  return least | std::min<std::uint64_t>(most - least, 0xffff) << bits_of_least;
}

struct waiting_report : message::uncounted {
  using layout = wire::layout<std::string>;
  static void call(const delivery& d, std::string text) { current_pe->quiescence.reported(d.from, std::move(text)); }
};

}  // namespace

template <class H, class... V>
void quiescence::order_children(V... values) {
  for_each_child(pe_.number(), pe_.count(), [&](pe_id child) { pe_.messages.send<H>(child, wave_, values...); });
}

void quiescence::check_order(pe_id from, std::uint32_t wave, bool asks) {
  const bool in_turn = asks ? wave == wave_ + 1 : wave == wave_ && !order_followed_;
  require(pe_.number() != 0 && from == tree_parent(pe_.number()) && !asked_ && !ended_ && in_turn,
          "an order of wave {} from PE {} to PE {}, where wave {} was the last", wave, from, pe_.number(), wave_);
  order_followed_ = !asks;
}

quiescence::quiescence(pe& owner) : pe_(owner), looks_(owner) {}

void quiescence::program_ended(int code, pe_id whose) {
  constexpr std::size_t most_named = 8;
  require(0 <= whose && whose < pe_.count(), "the program of PE {} has ended, where there are {}", whose, pe_.count());
  code_ = std::max(code_, code);
  if (code != 0 && failed_.size() < most_named)
    failed_.push_back({whose, code});
  else if (code != 0)
    ++more_failed_;
  if (--programs_left_ == 0) want_wave();
}

void quiescence::add_waiter(wait_record& waiter) {
  waiters_.push_back(&waiter);
  want_wave();
  if (together_) next_wave_ns_ = pe_.tasks.now() + delay_beside_looks_ns;
}

bool quiescence::look_if_idle() {
  if (!looks_together() || !looks_.may_begin() || !pe_.idle()) return false;
  waiters_at_look_before_ = std::exchange(waiters_at_look_, waiters_.size());
  looks_.begin({pe_.messages.sent(), pe_.messages.executed()});
  if (looks_.found()) end_wait(waiters_at_look_before_);
  return true;
}

void quiescence::looked(pe_id from, symmetric_termination::place at, symmetric_termination::sums theirs) {
  looks_.arrived(from, at, theirs);
  if (looks_.found()) end_wait(waiters_at_look_before_);
}

// Wakes so many that have waited longest.
void quiescence::end_wait(std::size_t waiters) {
  require(waiters <= waiters_.size(), "{} tasks of PE {} are to go on from quiescence(), where {} wait", waiters,
          pe_.number(), waiters_.size());
  pe_.messages.flush(message::flush_reason::idle);  // else it would stay here while those that wake up compute
  looks_.begin_next_wait();
  wanted_ = false;
  const auto last = waiters_.begin() + static_cast<std::ptrdiff_t>(waiters);
  const std::vector<wait_record*> woken(waiters_.begin(), last);
  waiters_.erase(waiters_.begin(), last);
  if (!waiters_.empty()) want_wave();
  for (wait_record* w : woken) w->wake();
}

void quiescence::probe(std::uint32_t wave) {
  asked_ = true;
  wave_ = wave;
  answers_left_ = count_children(pe_.number(), pe_.count());
  sum_sent_ = sum_executed_ = sum_under_way_ = 0;
  waiting_pes_ = 0;
  anyone_answered_ = false;
  order_children<probe_pe>();
}

void quiescence::answer(pe_id from, std::uint32_t wave, std::uint64_t sent, std::uint64_t executed,
                        std::uint64_t under_way, std::uint32_t waiting_pes, std::uint64_t waits_ended) {
  require(asked_ && wave == wave_ && answers_left_ > 0 && from != 0 && tree_parent(from) == pe_.number(),
          "an answer to wave {} from PE {} in wave {}", wave, from, wave_);
  --answers_left_;
  sum_sent_ += sent;
  sum_executed_ += executed;
  sum_under_way_ += under_way;
  waiting_pes_ += waiting_pes;
  add_waits_ended(waits_ended);
}

void quiescence::add_waits_ended(std::uint64_t theirs) {
  waits_ended_there_ = anyone_answered_ ? joined_waits(waits_ended_there_, theirs) : theirs;
  anyone_answered_ = true;
}

bool quiescence::on_idle() {
  const bool looked = look_if_idle();
  if (asked_) {
    if (answers_left_ != 0 || !pe_.idle()) return looked;
    asked_ = false;
    sum_sent_ += pe_.messages.sent();
    sum_executed_ += pe_.messages.executed();
    sum_under_way_ += pe_.messages.under_way();
    waiting_pes_ += waiters_.empty() ? 0 : 1;
    add_waits_ended(looks_.waits_ended());
    waits_ended_at_answer_ = looks_.waits_ended();
    waiters_at_answer_before_ = std::exchange(waiters_at_answer_, waiters_.size());
    if (pe_.number() != 0) {
      pe_.messages.send<answer_probe>(tree_parent(pe_.number()), wave_, sum_sent_, sum_executed_, sum_under_way_,
                                      waiting_pes_, waits_ended_there_);
    } else {
      decide();
    }
    return true;
  }
  if (pe_.number() != 0 || ended_ || reports_left_ != 0 || pe_.accounts.asking() || !pe_.idle() ||
      pe_.tasks.now() < next_wave_ns_)
    return looked;
  start_wave();
  return true;
}

std::int64_t quiescence::patience_ns() const {
  // A PE that is not idle has a timer, a full network or what it has lent to wait for, and its own patience for that.
  if (pe_.number() != 0 || asked_ || reports_left_ != 0 || pe_.accounts.asking() || !pe_.idle())
    return std::numeric_limits<std::int64_t>::max();
  return std::max<std::int64_t>(next_wave_ns_ - pe_.tasks.now(), 0);
}

// In a large job a wave is dear, and while programs run, and none here waits for quiescence, it can find an error only.
std::int64_t quiescence::first_delay() const {
  constexpr std::int64_t delay_per_pe_ns = 1000;
  if (programs_left_ == 0 || !waiters_.empty()) return first_delay_ns;
  return std::clamp(delay_per_pe_ns * pe_.count(), first_delay_ns, longest_delay_ns);
}

// A wave is worth its messages now: a program has ended, or a task waits for quiescence.
void quiescence::want_wave() {
  wanted_ = patience_ == 0;
  next_wave_ns_ = std::min(next_wave_ns_, pe_.tasks.now() + (wanted_ ? 0 : first_delay_ns));
}

bool quiescence::due() const {
  if (looks_together() && looks_.may_begin()) return true;
  if (asked_) return answers_left_ == 0;
  return (looks_again_ || wanted_) && pe_.number() == 0 && pe_.tasks.now() >= next_wave_ns_;
}

void quiescence::start_wave() {
  hasty_ = wanted_ || (looks_again_ && hasty_);
  wanted_ = false;
  probe(wave_ + 1);
}

void quiescence::decide() {
  const bool alone = pe_.count() == 1;
  // A PE that has gone on, or does so now, by a look of all has been woken by no packet, of which waves know nothing.
  const bool all_here = waits_ended_there_ == looks_.waits_ended();
  const bool were_here = all_here && waits_ended_before_ == looks_.waits_ended();
  const bool quiescent = (were_here && executed_before_ == sum_sent_) || (alone && sum_executed_ == sum_sent_);
  const bool same_as_before =
      executed_before_ == sum_executed_ && sent_before_ == sum_sent_ && waits_ended_before_ == waits_ended_there_;
  const int quiet_before = same_as_before ? quiet_waves_ : 0;
  executed_before_ = sum_executed_;
  sent_before_ = sum_sent_;
  waits_ended_before_ = waits_ended_there_;
  const bool unequal = sum_sent_ != sum_executed_, split = differ(waits_ended_there_);
  quiet_waves_ = sum_under_way_ == 0 && (unequal || split) ? quiet_before + 1 : 0;
  if (!quiescent) {
    // Packets of looks may be handed on behind the waves' backs, too, from PE to PE in each round.
    const int rounds = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(pe_.count()))) + 2;
    require(!split || quiet_before < pe_.transport().hops() * rounds,
            "some PEs have gone on from quiescence() and others have not: a message of theirs was damaged or lost");
    if (unequal && quiet_before >= pe_.transport().hops())
      return pe_.accounts.collect([](pe& p) { p.accounts.fail_unless_equal(); });
    // A second look at once if nothing seems to be in flight; else later and later.
    looks_again_ = all_here && !unequal && !looks_again_;
    if (!looks_again_) {
      // Not if looks have ended the wait between this wave and the one before.
      const bool in_vain = were_here || unequal;
      if (in_vain && all_here && hasty_ && !alone) patience_ = patient_waits;
      const std::int64_t soonest_ns = pe_.tasks.now() + wave_delay_ns_;
      next_wave_ns_ = looks_together() ? std::max(next_wave_ns_, soonest_ns) : soonest_ns;
      wave_delay_ns_ = std::min(2 * wave_delay_ns_, longest_delay_ns);
    }
    return;
  }
  executed_before_ = ~std::uint64_t{0};
  looks_again_ = false;
  if (waiting_pes_ != 0) {
    patience_ = std::max(patience_ - 1, 0);
    apart_ = together_ ? patient_waits : std::max(apart_ - 1, 0);
    const bool all_wait = !alone && waiting_pes_ == static_cast<std::uint32_t>(pe_.count());
    release(looks_.waits_ended(), all_wait && apart_ == 0);
  } else if (before_the_end_ != nullptr) {
    std::exchange(before_the_end_, nullptr)();
    want_wave();
  } else if (programs_left_ == 0) {
    if (pe_.accounts.must_settle()) return settle();
    if (!pe_.accounts.wanted()) return end(code_);
    pe_.accounts.collect([](pe& p) {
      p.accounts.fail_unless_equal();
      p.accounts.conclude();
      p.quiescence.end(p.quiescence.code_);
    });
  } else {
    reports_left_ = pe_.count();
    report();
  }
}

void quiescence::release(std::uint64_t waits_ended, bool look_together) {
  order_children<release_waiters>(waits_ended, look_together);
  together_ = look_together;
  require(waits_ended == waits_ended_at_answer_, "PE {} is told the end of wait {} for quiescence, and was in {}",
          pe_.number(), waits_ended, waits_ended_at_answer_);
  // Else looks of all have ended it.
  if (waits_ended == looks_.waits_ended()) end_wait(pe_.count() == 1 ? waiters_at_answer_ : waiters_at_answer_before_);
}

// The next wave comes behind it, so what this sends is counted there.
void quiescence::settle() {
  order_children<settle_accounts>();
  pe_.accounts.settle();
  if (pe_.number() == 0) want_wave();
}

void quiescence::end(int code) {
  if (code == 0) pe_.collectives->check_none_unasked();
  order_children<end_pe>(std::int32_t{code}, std::int32_t{~code});
  code_ = code;
  ended_ = true;
}

void quiescence::report() {
  stands_still = true;
  order_children<report_waiting>();
  pe_.messages.send<waiting_report>(0, pe_.waits.text(pe_));
}

void quiescence::reported(pe_id from, std::string waiting) {
  require(reports_left_ > 0, "PE {} reports what waits there, and was not asked", from);
  reports_.resize(static_cast<std::size_t>(pe_.count()));
  reports_[static_cast<std::size_t>(from)] = std::move(waiting);
  if (--reports_left_ != 0) return;
  std::string text = "tsubu: " + why_it_stands_still() + '\n';
  for (const std::string& lines : reports_) text += lines;
  const int code = code_ != 0 ? code_ : tsubu::exit_code::deadlock;
  text += "tsubu: the job ends with code " + std::to_string(code);
  if (standstill_ends_job_only) {
    // The next wave finds nothing that runs either, and then ends the job as if the programs had returned.
    tsubu::detail::tell_line(printable_lines(text));
    code_ = code;
    programs_left_ = 0;
    return want_wave();
  }
  end_job(code, text);
}

std::string quiescence::why_it_stands_still() const {
  const std::string nothing = "nothing is left to run and no message is in flight";
  if (failed_.empty()) {
    const std::string where = programs_left_ == programs_ ? std::string()
                                                          : " on " + std::to_string(programs_left_) + " of " +
                                                                std::to_string(programs_) + " PEs";
    return "deadlock: " + nothing + ", but the program has not ended" + where + '.';
  }
  std::string text;
  for (const returned_code& one : failed_) {
    text += text.empty() ? "" : ", ";
    text += "PE " + std::to_string(one.whose) + "'s program has returned " + std::to_string(one.code);
  }
  if (more_failed_ != 0) text += ", " + std::to_string(more_failed_) + " more have returned another code than 0";
  return text + ", and others wait for ever: " + nothing + '.';
}

void quiescence_awaiter::suspend(ready_item who, std::source_location where) {
  require(current_pe != nullptr, "quiescence() is awaited outside a job");
  record_.suspend(who, where);
  if (auto* const watcher = current_pe->collectives->watcher) watcher->arrive(meets_in_quiescence);
  current_pe->quiescence.add_waiter(record_);
}

void quiescence_awaiter::await_resume() const noexcept {
  if (auto* const watcher = current_pe->collectives->watcher) watcher->go_on();
}

}  // namespace tsubu::remote
