#include "tsubu/remote/termination/symmetric_termination.hpp"

#include <algorithm>

#include "tsubu/base/check.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu::remote {
namespace {

struct look_together : message::uncounted {
  using layout = wire::layout<std::uint64_t, std::uint8_t, std::uint8_t, std::uint64_t, std::uint64_t>;
  static void call(const message::delivery& d, std::uint64_t wait, std::uint8_t look, std::uint8_t step,
                   std::uint64_t sent, std::uint64_t executed) {
    current_pe->quiescence.looked(d.from, {wait, look, step}, {sent, executed});
  }
};

}  // namespace

void symmetric_termination::begin_next_wait() {
  looks_before_ = found_ ? at_.look : most_looks;
  at_ = {at_.wait + 1, 0, 0};
  under_way_ = found_ = false;
  std::erase_if(kept_, [this](const kept& k) { return k.at.wait != at_.wait; });
}

// no_pe where there is no such step.
pe_id symmetric_termination::partner(std::uint8_t step) const {
  const pe_id me = pe_.number(), whole = power_below(pe_.count());
  if (step == lent) return me + whole < pe_.count() ? me + whole : no_pe;
  if (step == told) return me >= whole ? me - whole : no_pe;
  return me < whole && step < 31 && pe_id{1} << step < whole ? me ^ (pe_id{1} << step) : no_pe;
}

void symmetric_termination::send(std::uint8_t step) {
  // What is lent comes from who is told, and the reverse.
  const pe_id to = step == lent ? partner(told) : step == told ? partner(lent) : partner(step);
  pe_.messages.send<look_together>(to, at_.wait, at_.look, step, sums_.sent, sums_.executed);
}

void symmetric_termination::begin(sums mine) {
  under_way_ = true;
  sums_ = mine;
  if (partner(told) != no_pe) {
    send(lent);
    at_.step = told;
  } else if (partner(lent) != no_pe) {
    at_.step = lent;
  } else {
    begin_round(0);
  }
  proceed();
}

void symmetric_termination::begin_round(std::uint8_t round) {
  if (partner(round) != no_pe) {
    send(round);
    at_.step = round;
    return;
  }
  if (partner(lent) != no_pe) send(told);
  finish();
}

void symmetric_termination::finish() {
  under_way_ = false;
  found_ = at_.look > 0 && executed_before_ == sums_.sent;
  executed_before_ = sums_.executed;
  ++at_.look;
}

void symmetric_termination::proceed() {
  while (under_way_) {
    const auto next = std::ranges::find(kept_, at_, &kept::at);
    if (next == kept_.end()) return;
    const sums theirs = next->theirs;
    *next = kept_.back();
    kept_.pop_back();
    if (at_.step == told) {
      sums_ = theirs;
      finish();
      continue;
    }
    sums_.sent += theirs.sent;
    sums_.executed += theirs.executed;
    begin_round(at_.step == lent ? 0 : static_cast<std::uint8_t>(at_.step + 1));
  }
}

// All PEs find at the same look, and nobody begins another one then: a PE that does has got other sums.
void symmetric_termination::arrived(pe_id from, place at, sums theirs) {
  if (at.wait + 1 < at_.wait) return;
  const bool is_late = at.wait + 1 == at_.wait;
  const bool may_come = is_late ? at.look < looks_before_ : at.wait - at_.wait <= 1 && at.look < most_looks;
  require(
      may_come && from != no_pe && from == partner(at.step) && std::ranges::find(kept_, at, &kept::at) == kept_.end(),
      "look {} of wait {} for quiescence, step {}, from PE {} to PE {}, in wait {}", at.look, at.wait, at.step, from,
      pe_.number(), at_.wait);
  if (is_late) return;
  kept_.push_back({at, theirs});
  proceed();
}

}  // namespace tsubu::remote
