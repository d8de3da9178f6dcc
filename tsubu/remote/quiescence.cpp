#include "tsubu/remote/quiescence.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/collective_box.hpp"
#include "tsubu/remote/pe.hpp"

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
  using layout = wire::layout<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>;
  static void call(const delivery& d, std::uint32_t wave, std::uint64_t sent, std::uint64_t executed,
                   std::uint64_t under_way, std::uint32_t waiters) {
    current_pe->quiescence.answer(d.from, wave, sent, executed, under_way, waiters);
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
struct release_waiters : consequence<&quiescence::release> {};
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

void quiescence::program_ended(int code) {
  code_ = std::max(code_, code);
  if (--programs_left_ == 0) want_wave();
}

void quiescence::add_waiter(wait_record& waiter) {
  waiters_.push_back(&waiter);
  want_wave();
}

void quiescence::probe(std::uint32_t wave) {
  asked_ = true;
  wave_ = wave;
  answers_left_ = count_children(pe_.number(), pe_.count());
  sum_sent_ = sum_executed_ = sum_under_way_ = 0;
  sum_waiters_ = 0;
  order_children<probe_pe>();
}

void quiescence::answer(pe_id from, std::uint32_t wave, std::uint64_t sent, std::uint64_t executed,
                        std::uint64_t under_way, std::uint32_t waiters) {
  require(asked_ && wave == wave_ && answers_left_ > 0 && from != 0 && tree_parent(from) == pe_.number(),
          "an answer to wave {} from PE {} in wave {}", wave, from, wave_);
  --answers_left_;
  sum_sent_ += sent;
  sum_executed_ += executed;
  sum_under_way_ += under_way;
  sum_waiters_ += waiters;
}

bool quiescence::on_idle() {
  if (asked_) {
    if (answers_left_ != 0 || !pe_.idle()) return false;
    asked_ = false;
    sum_sent_ += pe_.messages.sent();
    sum_executed_ += pe_.messages.executed();
    sum_under_way_ += pe_.messages.under_way();
    sum_waiters_ += static_cast<std::uint32_t>(waiters_.size());
    if (pe_.number() != 0) {
      pe_.messages.send<answer_probe>(tree_parent(pe_.number()), wave_, sum_sent_, sum_executed_, sum_under_way_,
                                      sum_waiters_);
    } else {
      decide();
    }
    return true;
  }
  if (pe_.number() != 0 || ended_ || reports_left_ != 0 || pe_.accounts.asking() || !pe_.idle() ||
      pe_.tasks.now() < next_wave_ns_)
    return false;
  start_wave();
  return true;
}

std::int64_t quiescence::patience_ns() const {
  // A PE that is not idle has a timer or a full network to wait for, and its own patience for that.
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
  if (asked_) return answers_left_ == 0;
  return looks_again_ || (wanted_ && pe_.number() == 0 && pe_.tasks.now() >= next_wave_ns_);
}

void quiescence::start_wave() {
  hasty_ = wanted_ || (looks_again_ && hasty_);
  wanted_ = false;
  probe(wave_ + 1);
}

void quiescence::decide() {
  const bool alone = pe_.count() == 1;
  const bool quiescent = executed_before_ == sum_sent_ || (alone && sum_executed_ == sum_sent_);
  const bool same_as_before = executed_before_ == sum_executed_ && sent_before_ == sum_sent_;
  const int quiet_before = same_as_before ? quiet_waves_ : 0;
  executed_before_ = sum_executed_;
  sent_before_ = sum_sent_;
  quiet_waves_ = sum_under_way_ == 0 ? quiet_before + 1 : 0;
  if (!quiescent) {
    if (quiet_before >= pe_.transport().hops())
      return pe_.accounts.collect([](pe& p) { p.accounts.fail_unless_equal(); });
    // A second look at once if nothing seems to be in flight; else later and later.
    looks_again_ = sum_sent_ == sum_executed_ && !looks_again_;
    if (!looks_again_) {
      if (hasty_ && !alone) patience_ = patient_waits;
      next_wave_ns_ = pe_.tasks.now() + wave_delay_ns_;
      wave_delay_ns_ = std::min(2 * wave_delay_ns_, longest_delay_ns);
    }
    return;
  }
  executed_before_ = ~std::uint64_t{0};
  looks_again_ = false;
  if (sum_waiters_ != 0) {
    patience_ = std::max(patience_ - 1, 0);
    release();
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

void quiescence::release() {
  order_children<release_waiters>();
  pe_.messages.flush(message::flush_reason::idle);  // else it would stay here while those that wake up compute
  std::vector<wait_record*> woken;
  woken.swap(waiters_);
  for (wait_record* w : woken) w->wake();
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
  order_children<report_waiting>();
  pe_.messages.send<waiting_report>(0, pe_.waiting_tasks());
}

void quiescence::reported(pe_id from, std::string waiting) {
  require(reports_left_ > 0, "PE {} reports what waits there, and was not asked", from);
  reports_.resize(static_cast<std::size_t>(pe_.count()));
  reports_[static_cast<std::size_t>(from)] = std::move(waiting);
  if (--reports_left_ != 0) return;
  std::string text =
      "tsubu: deadlock: nothing is left to run and no message is in flight, but the program has not ended.\n";
  for (const std::string& lines : reports_) text += lines;
  text += "tsubu: the job ends with code " + std::to_string(tsubu::exit_code::deadlock);
  end_job(tsubu::exit_code::deadlock, text);
}

void quiescence_awaiter::suspend(ready_item who, std::source_location where) {
  require(current_pe != nullptr, "quiescence() is awaited outside a job");
  record_.suspend(who, where);
  current_pe->quiescence.add_waiter(record_);
}

}  // namespace tsubu::remote
