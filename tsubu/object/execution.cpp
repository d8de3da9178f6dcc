// When an object's messages are executed: the queue, the list of objects that have something to run, what a method
// accepts, and the end.
#include <algorithm>

#include "tsubu/object/balance.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/object/space.hpp"

namespace tsubu::objects {

void object_space::method_ended_slowly(object_base& o) {
  object_base::header& h = o.tsubu_header;
  if (h.is(bits::serving)) return served(o);
  h.clear(bits::busy | bits::waiting);
  if (h.is(bits::ending | bits::leaving)) [[unlikely]] {
    if (h.is(bits::listed)) unlist(o);  // a reentrant method has ended it
    // A method that waits and does not keep the object still refers to it.
    if (h.is(bits::entered)) {
      h.set(bits::busy);
      return;
    }
    if (h.is(bits::ending)) return end_now(o);
    // Not before the messages that were sent after it when it was here last have come.
    if (knows_routes() && places().is_marked(identity_of(o))) {
      h.set(bits::busy);
      return;
    }
    const auto d = leaving_.extract(&o);
    h.clear(bits::leaving);
    return move_away(*this, o, d.mapped().to, d.mapped().done);
  }
  if (!h.queue.empty()) {
    h.set(bits::queued);
    list(o, false);
  }
}

void object_space::reentrant_ended(object_base& o) {
  const auto at = reentrants_.find(&o);
  if (--at->second == 0) {
    reentrants_.erase(at);
    o.tsubu_header.clear(bits::entered);
  }
  const std::uint32_t state = o.tsubu_header.state;
  // It only waited for this one.
  if ((state & (bits::ending | bits::leaving)) != 0 && (state & bits::waiting) == 0) method_ended_slowly(o);
}

void object_space::end_now(object_base& o) {
  const identity id = identity_of(o);
  const object_type& type = type_of_number(type_of(o));
  message_queue queue = o.tsubu_header.queue;
  if (o.tsubu_header.is(bits::leaving)) {
    const auto d = leaving_.extract(&o);
    if (d.mapped().done.pe != no_pe) destination(d.mapped().done).gone(name_of(o) + " has ended before it could move");
  }
  if (remove_guest(o)) {
    places().forget(id);
    tell_home_of_end(id);
    ++counters_.ended;
  } else {
    free_name(o);
  }
  type.destroy(o);
  drop_all(queue, id);
}

void object_space::drop_all(message_queue& queue, const identity& id) {
  while (!queue.empty()) drop(queue.pop(), id);
}

void object_space::drop(mail& m, const identity& id) {
  const in_group_of guard(m);
  if (m.reply.wanted()) {
    m.reply.gone(gone_text(*m.of, id));
  } else {
    count_gone(*m.of, id);
  }
  m.of->free(m);
}

void object_space::count_gone(const method_info& of, const identity& id) {
  ++counters_.gone;
  last_gone_ = gone_text(of, id);
}

std::string object_space::gone_text(const method_info& of, const identity& id) const {
  const std::string for_method = "(" + method_name(of) + ")";
  if (const auto why = not_made_.find(id); why != not_made_.end()) return why->second + ' ' + for_method;
  return name_of(id, *of.type) + " has ended " + for_method;
}

void object_space::wait(object_base& o, mail& m, bool express) {
  m.join_group();
  ++counters_.queued;
  object_base::header& h = o.tsubu_header;
  check_mailboxes(o, m);
  const bool accepted = h.is(bits::accepting) && h.accepts->match(m) >= 0;
  // If it is listed, one that came before has been accepted.
  if (accepted && may_run_on_this_stack() && !h.is(bits::listed)) return serve(o, m);
  if (express) {
    // Of those that are first here, reentrant ones run now at the latest: this one may wait for their answers.
    while (!h.is(bits::busy) && !h.queue.empty() && h.queue.first()->of->reenters) enter(identity_of(o), h.queue.pop());
    h.queue.push_express(m);
  } else {
    h.queue.push(m);
  }
  h.set(bits::queued);
  if (accepted || !h.is(bits::busy)) list(o, true);
}

void object_space::run_later(object_base& o, mail& m) {
  m.join_group();
  ++counters_.put_off;
  check_mailboxes(o, m);
  object_base::header& h = o.tsubu_header;
  h.queue.push(m);
  h.set(bits::queued | bits::listed);
  list_.push_front(&o);
  schedule();
}

void object_space::run_soon(object_base& o, mail& m) {
  m.join_group();
  enter(identity_of(o), m);
}

void object_space::enter(const identity& id, mail& m) {
  reentrant_.push_back({id, &m});
  schedule();
}

void object_space::list(object_base& o, bool in_front) {
  object_base::header& h = o.tsubu_header;
  if (h.is(bits::listed)) return;
  h.set(bits::listed);
  if (in_front) {
    in_front_.push_back(&o);
  } else {
    list_.push_back(&o);
  }
  schedule();
}

void object_space::unlist(object_base& o) {
  std::erase(list_, &o);
  std::erase(in_front_, &o);
  o.tsubu_header.clear(bits::listed);
}

void object_space::schedule() {
  if (scheduled_) return;
  scheduled_ = true;
  const task_group_scope in_none(nullptr);
  this_task_context->ready(std::coroutine_handle<>(runner_.coroutine));
}

object_space::runner object_space::run_listed() {
  for (;;) {
    run_some();
    if (balancer_ != nullptr) balancer_->after_running();
    // A slice takes longer than a message should wait for others.
    if (slice_left_ <= 0) remote::current_pe->flush(message::flush_reason::old);
    scheduled_ = false;
    if (!list_.empty() || !in_front_.empty() || !reentrant_.empty()) schedule();
    co_await std::suspend_always();
  }
}

void object_space::run_some() {
  constexpr int at_a_time = 32;
  if (!reentrant_.empty()) run_reentrant();
  slice_left_ = slice;
  for (int i = 0; i < at_a_time; ++i) {
    for (; !in_front_.empty(); in_front_.pop_back()) list_.push_front(in_front_.back());
    if (list_.empty()) return;
    // The front is the newest and deepest. That the others get their turn, too, one in so many is from the back.
    constexpr std::uint32_t from_the_back = 64;
    object_base* o = nullptr;
    if (++runs_ % from_the_back == 0) {
      o = list_.back();
      list_.pop_back();
    } else {
      o = list_.front();
      list_.pop_front();
    }
    run_one(*o);
    if (slice_left_ <= 0) return;
  }
}

balancer& object_space::balance() {
  if (balancer_ == nullptr) balancer_ = std::make_unique<balancer>(*this);
  return *balancer_;
}

void object_space::run_one(object_base& o) {
  object_base::header& h = o.tsubu_header;
  h.clear(bits::listed);
  mail* m = nullptr;
  const bool accepts = h.is(bits::busy);
  if (!accepts) {
    m = &h.queue.pop();
  } else if (h.is(bits::accepting)) {
    m = h.queue.take_first([&h](const mail& one) { return h.accepts->match(one) >= 0; });
  }
  if (h.queue.empty()) h.clear(bits::queued);
  if (m == nullptr) return;
  if (accepts) {
    serve(o, *m);
  } else {
    run_message(o, *m);
  }
}

void object_space::run_message(object_base& o, mail& m) {
  const in_group_of guard(m);
  m.of->run(*this, o, m);
}

void object_space::run_reentrant() {
  std::vector<soon> now;
  now.swap(reentrant_);
  for (const soon& s : now) {
    object_base* const o = object_named(s.id);
    if (o != nullptr) {
      run_message(*o, *s.m);
    } else if (knows_routes()) {
      places().send_again(s.id, *s.m, false);  // it may have moved
    } else {
      drop(*s.m, s.id);
    }
  }
}

object_base* object_space::object_named(const identity& id) {
  if (id.home == me_) {
    if (object_base* const o = at_home(id)) return o;
  }
  if (!knows_routes()) return nullptr;
  const route* const r = places().find(id);
  return r != nullptr ? r->local : nullptr;
}

void object_space::serve(object_base& o, mail& m) {
  object_base::header& h = o.tsubu_header;
  accept_wait& a = *h.accepts;
  a.which_ = static_cast<std::int16_t>(a.match(m));
  h.clear(bits::accepting);
  h.set(bits::serving);
  run_message(o, m);
}

void object_space::served(object_base& o) {
  object_base::header& h = o.tsubu_header;
  accept_wait& a = *h.accepts;
  h.accepts = a.outer();
  h.clear(bits::serving);
  // The method that accepted was itself accepted.
  if (h.accepts != nullptr) h.set(bits::serving);
  a.served_ = true;
  if (a.waiting()) a.wake();
}

bool accept_wait::await_ready() {
  object_base& o = *static_cast<object_base*>(const_cast<void*>(object));
  object_base::header& h = o.tsubu_header;
  require(h.is(object_base::header::busy), "accept() is awaited by code that is no method of its object");
  require(!h.is(object_base::header::accepting), "two accept() of one object are awaited at a time");
  object = std::exchange(h.accepts, this);
  mail* const m = h.queue.take_first([this](const mail& one) { return match(one) >= 0; });
  if (m == nullptr) {
    h.set(object_base::header::accepting);
    return false;
  }
  if (h.queue.empty()) h.clear(object_base::header::queued);
  here().serve(o, *m);
  return served_;
}

}  // namespace tsubu::objects
