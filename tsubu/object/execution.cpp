#include "tsubu/object/execution.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tsubu/base/clock.hpp"
#include "tsubu/object/accept.hpp"
#include "tsubu/object/reentrant.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/run_list.hpp"
#include "tsubu/object/runner.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::objects {

using bits = object_base::header::bits;

struct execution::lists {
  explicit lists(execution* self) : runner(&run_turn, self) {}
  run_list objects;
  reentrant_calls reentrant;
  objects::runner runner;
};

execution::execution(object_space& space) : space_(space), lists_(std::make_unique<lists>(this)) {}
execution::~execution() = default;

void execution::check_mailboxes(const object_base& o, const mail& m) const {
  if (space_.waiting.too_full()) [[unlikely]]
    too_many_wait(o, m);
}

void execution::too_many_wait(const object_base& o, const mail& m) const {
  const identity* const unborn = space_.early.name_of(o);
  fail(std::to_string(space_.waiting.waiting_bytes()) + " bytes of messages wait for their objects, of " +
       std::to_string(space_.waiting.limit_bytes()) + " (--tsubu-mailboxes); one more " + method_name(*m.of) + " for " +
       (unborn == nullptr ? space_.name_of(o) : name_text(*unborn, *m.of->type)) + ", for which " +
       std::to_string(o.tsubu_header.queue.size()) + " wait");
}

void execution::wait(object_base& o, mail& m, bool express) {
  m.join_group();
  ++queued_;
  object_base::header& h = o.tsubu_header;
  check_mailboxes(o, m);
  const int which = h.is(bits::accepting) && !h.is(bits::held) ? h.accepts->match(m) : -1;
  const bool accepted = which >= 0;
  if (accepted && may_serve_now(o)) return serve(o, m, which);
  if (express) {
    h.queue.push_express(m);
  } else {
    h.queue.push(m);
  }
  h.set(bits::queued);
  if (accepted || !h.is(bits::busy | bits::held)) list(o, true);
}

void execution::release(object_base& o) {
  object_base::header& h = o.tsubu_header;
  h.clear(bits::held);
  if (!h.queue.empty() && (!h.is(bits::busy) || h.is(bits::accepting))) list(o, true);
}

void execution::put_off(object_base& o, mail& m) {
  ++put_off_;
  run_newest(o, m, false);
}

void execution::run_newest(object_base& o, mail& m, bool express) {
  m.join_group();
  check_mailboxes(o, m);
  if (express) {
    o.tsubu_header.queue.push_express(m);
  } else {
    o.tsubu_header.queue.push(m);
  }
  o.tsubu_header.set(bits::queued);
  lists_->objects.add_newest(o);
  lists_->runner.schedule();
}

void execution::run_soon(object_base& o, mail& m) {
  m.join_group();
  run_soon_again(o, m);
}

void execution::run_soon_again(object_base& o, mail& m) {
  lists_->reentrant.add(o, m);
  lists_->runner.schedule();
}

message_queue execution::take_reentrant(object_base& o) { return lists_->reentrant.take_of(o); }

void execution::list(object_base& o, bool in_front) {
  if (o.tsubu_header.is(bits::runnable)) return;
  if (in_front) {
    lists_->objects.add_in_front(o);
  } else {
    lists_->objects.add(o);
  }
  lists_->runner.schedule();
}

void execution::unlist(object_base& o) { lists_->objects.remove(o); }

std::size_t execution::runnable() const { return lists_->objects.size(); }

std::size_t execution::passed_over() const { return lists_->objects.passed_over(); }

void execution::pass_over_all() { lists_->objects.begin_turn(); }

object_base* execution::take_last(const std::function<bool(const object_base&)>& fits) {
  return lists_->objects.take_last(fits);
}

bool execution::slice_goes_on(const object_base& o) {
  slice_left_ = 0;
  if (slice_used_ == 0) {
    slice_began_ns_ = now_ns();
  } else if (slice_used_ >= slice) {
    return false;
  } else if (o.tsubu_header.is(bits::may_roam) && now_ns() - slice_began_ns_ > roaming_ns_) {
    tasks_are_ahead_ |= !in_turn_;
    return false;
  }
  // One by one at first: it is not known how long they take.
  slice_left_ = std::clamp(slice_used_, 1, looks_at_clock);
  slice_used_ += slice_left_;
  return true;
}

bool execution::run_turn(void* self) {
  execution& e = *static_cast<execution*>(self);
  e.space_.before_running();
  const bool were_ahead = std::exchange(e.tasks_are_ahead_, false);
  // All has been given away: the slice stays used up, so that what the same task sends next waits as well.
  if (e.lists_->objects.empty() && e.lists_->reentrant.empty()) return false;
  e.in_turn_ = true;
  e.run_some();
  e.in_turn_ = false;
  e.space_.after_running();
  const bool slice_over = e.slice_left_ <= 0;
  // The task's next message may be as long as those before: it waits, to be given, while somebody has nothing to do.
  if (were_ahead && !e.space_.keeps_new()) {
    e.slice_left_ = 0;
    e.slice_used_ = 1;
    e.slice_began_ns_ = std::numeric_limits<std::int64_t>::min() / 2;
  }
  if (slice_over) remote::current_pe->runs_long();
  // A slice takes longer than a message should wait for others. With many methods waiting none should wait: a tree is
  // the broader, the later what it asks on other PEs is answered.
  if (slice_over || (e.many_wait() && remote::current_pe->messages.cheap_to_flush()))
    remote::current_pe->flush(message::flush_reason::old);
  return !e.lists_->objects.empty() || !e.lists_->reentrant.empty();
}

void execution::run_some() {
  // Messages that come faster than objects are run would wait ever longer: the more have come, the more are run.
  const auto came =
      static_cast<int>(std::min<std::uint64_t>(queued_ - std::exchange(queued_before_turn_, queued_), most_at_a_time));
  const int at_a_time = std::max(many_wait() ? 8 : 32, 2 * came);
  if (!lists_->reentrant.empty()) run_reentrant();
  lists_->objects.begin_turn();
  slice_left_ = 1;
  slice_used_ = 0;
  for (int i = 0; i < at_a_time; ++i) {
    object_base* const o = lists_->objects.take_next();
    if (o == nullptr) return;
    const bool roams = o->tsubu_header.is(bits::may_roam);
    if (roams && slice_used_ == 0) {
      slice_began_ns_ = now_ns();
      slice_used_ = 1;
    }
    run_one(*o);
    if (roams && now_ns() - slice_began_ns_ > roaming_ns_) slice_left_ = 0;
    if (slice_left_ <= 0) return;
  }
}

void execution::run_one(object_base& o) {
  object_base::header& h = o.tsubu_header;
  if (h.is(bits::asked)) [[unlikely]] {
    // They come first, and may end it, or list it again. This is its turn all the same: they may cause others for ever.
    const identity id = space_.identity_of(o);
    run_reentrant();
    if (space_.object_named(id) != &o) return;
    if (h.is(bits::runnable)) unlist(o);
    if (h.queue.empty()) return;
  }
  if (h.is(bits::held)) return;  // release() lists it again
  mail* m = nullptr;
  int which = -1;
  const bool accepts = h.is(bits::busy);
  if (!accepts) {
    m = &h.queue.pop();
  } else if (h.is(bits::accepting)) {
    m = h.queue.take_first([&](const mail& one) { return (which = h.accepts->match(one)) >= 0; });
  }
  if (h.queue.empty()) h.clear(bits::queued);
  if (m == nullptr) return;
  if (accepts) {
    serve(o, *m, which);
  } else {
    run_message(o, *m);
  }
}

void execution::run_message(object_base& o, mail& m) {
  const in_group_of guard(m);
  m.of->run(space_, o, m);
}

void execution::run_reentrant() {
  // Those that they cause come in the next turn.
  for (std::size_t left = lists_->reentrant.size(); left > 0 && !lists_->reentrant.empty(); --left) {
    const reentrant_calls::call c = lists_->reentrant.take_next();
    if (c.m == nullptr) continue;
    if (c.object->tsubu_header.is(bits::frozen)) {
      lists_->reentrant.add(*c.object, *c.m);
    } else {
      run_message(*c.object, *c.m);
    }
  }
}

void execution::reentrant_waits(object_base& o) { lists_->reentrant.one_waits(o); }

void execution::reentrant_ended(object_base& o) { lists_->reentrant.one_ended(o); }

bool execution::begin_to_serve(object_base& o, const mail& m) {
  const int which = o.tsubu_header.accepts->match(m);
  if (which >= 0) begin_to_serve(o, which);
  return which >= 0;
}

void execution::begin_to_serve(object_base& o, int which) {
  object_base::header& h = o.tsubu_header;
  h.accepts->takes(which);
  h.clear(bits::accepting);
  h.set(bits::serving);
}

void execution::serve(object_base& o, mail& m, int which) {
  begin_to_serve(o, which);
  run_message(o, m);
}

void execution::served(object_base& o) {
  object_base::header& h = o.tsubu_header;
  accept_wait& a = *h.accepts;
  if (a.takes_more() && !h.is(bits::ending)) {
    if (a.outer() == nullptr) h.clear(bits::serving);
    h.set(bits::accepting);
    if (h.is(bits::queued | bits::asked)) list(o, true);
    return;
  }
  end_accept(o);
}

void execution::serves_no_more(object_base& o) {
  object_base::header& h = o.tsubu_header;
  if (!h.is(bits::accepting) || !h.accepts->takes_more()) return;
  h.clear(bits::accepting);
  end_accept(o);
}

void execution::end_accept(object_base& o) {
  object_base::header& h = o.tsubu_header;
  accept_wait& a = *h.accepts;
  h.accepts = a.outer();
  h.clear(bits::serving);
  // The method that accepted was itself accepted.
  if (h.accepts != nullptr) h.set(bits::serving);
  a.was_served();
}

}  // namespace tsubu::objects
