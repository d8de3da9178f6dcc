#include "tsubu/object/routes.hpp"

#include <algorithm>
#include <limits>

#include "tsubu/object/execution.hpp"
#include "tsubu/object/reply_to.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::objects {

namespace {

// ---- what is sent between the PEs of an object that moves

struct moved_note {
  using layout = wire::layout<identity, pe_id, std::uint32_t>;
  static void call(const message::delivery& d, const identity& id, pe_id to, std::uint32_t stay) {
    this_space().places().moved(d.from, id, to, stay);
  }
};
struct marker_note {
  using layout = wire::layout<identity, std::uint32_t, pe_id>;
  static void call(const message::delivery&, const identity& id, std::uint32_t stay, pe_id of) {
    this_space().places().marker(stay, id, of);
  }
};
struct arrived_note {
  using layout = wire::layout<identity, pe_id, std::uint32_t>;
  static void call(const message::delivery&, const identity& id, pe_id place, std::uint32_t stay) {
    this_space().places().arrived(id, place, stay);
  }
};
struct ended_note {
  using layout = wire::layout<identity>;
  static void call(const message::delivery& d, const identity& id) {
    check_name(d.from, id);
    require(this_space().names.is_away(id), "PE {} says that {} has ended, which is not away", d.from,
            [&] { return name_text(id, 0); });
    this_space().places().ended(id);
  }
};

// While it lives, messages for objects are queued, not executed on this stack.
class queueing_only {
 public:
  queueing_only() : before_(std::exchange(this_stack_limit, std::numeric_limits<std::uintptr_t>::max())) {}
  queueing_only(const queueing_only&) = delete;
  queueing_only& operator=(const queueing_only&) = delete;
  ~queueing_only() { this_stack_limit = before_; }

 private:
  std::uintptr_t before_;
};

}  // namespace

// ---- an object leaves

void routes::leave_for(object_base& o, pe_id to, remote::reply_address done) {
  const auto [d, is_new] = departures_.try_emplace(&o, departure{to, done});
  if (!is_new) d->second.to = to;
  o.tsubu_header.set(object_base::header::leaving);
}

void routes::depart(object_base& o) {
  // Not before the messages that were sent after it when it was here last have come.
  if (is_marked(space_.identity_of(o))) return o.tsubu_header.set(object_base::header::busy);
  const auto d = departures_.extract(&o);
  o.tsubu_header.clear(object_base::header::leaving);
  move_away(o, d.mapped().to, d.mapped().done);
}

void routes::stay(object_base& o) {
  const auto d = departures_.extract(&o);
  o.tsubu_header.clear(object_base::header::leaving);
  if (d.mapped().done.pe != no_pe) destination(d.mapped().done).value<pe_id>(space_.me());
}

void routes::cancel_departure(object_base& o) {
  const auto d = departures_.extract(&o);
  if (d.mapped().done.pe == no_pe) return;
  const std::string name = space_.name_of(o);
  destination(d.mapped().done).gone(object_gone(name + " has ended before it could move", name, "move_to"));
}

void routes::move_away(object_base& o, pe_id to, remote::reply_address done) {
  const identity id = space_.identity_of(o);
  const object_type& type = type_of_number(space_.type_of(o));
  message_queue queue = o.tsubu_header.queue, reentrant = space_.runs.take_reentrant(o);
  const std::uint32_t stay = by_name_[id].stay + 1;
  type.send(o, id, to, stay, done);
  remove_guest(o);
  if (id.home == space_.me()) {
    space_.names.set_away(id);
  } else {
    remote::send<moved_note>(id.home, id, to, stay);
  }
  route& r = by_name_[id];
  r.local = nullptr;
  r.next = to;
  r.stay = stay;
  r.told.clear();
  for (message_queue* with_it : {&reentrant, &queue}) {
    while (!with_it->empty()) {
      const bool express = with_it->first_is_express();
      mail& m = with_it->pop();
      m.of->forward(id, to, stay, m, express);
    }
  }
  type.destroy(o);  // what it sends itself goes after it
}

// ---- an object comes

void routes::begin_guest(object_base& o) {
  const guest g = std::exchange(arriving_, {});
  if (g.id.home == no_pe) fail("a concurrent object is made by a program itself: use create<T>()");
  guests_[&o] = g;
  o.tsubu_header.set(object_base::header::guest);
}

bool routes::remove_guest(object_base& o) {
  o.tsubu_header.clear(object_base::header::guest);
  return guests_.erase(&o) != 0;
}

void routes::guest_ended(object_base& o, const identity& id) {
  remove_guest(o);
  forget(id);
  if (id.home == space_.me()) {
    ended(id);
  } else {
    remote::send<ended_note>(id.home, id);
  }
}

void routes::destroy_guests() {
  for (const auto& [o, g] : guests_) type_of_number(g.type).destroy(*const_cast<object_base*>(o));
}

void routes::take_in(const identity& id, object_base& o, std::uint32_t stay) {
  route& r = by_name_[id];
  space_.count_arrival();
  // What was sent from here before it was heard of went to its home; mostly nothing ever did.
  const bool unheard_of = r.next == no_pe && id.home != space_.me();
  const pe_id before = unheard_of && space_.has_sent_home(id.home) ? id.home : r.next;
  const std::uint32_t stay_before = r.stay;
  r.local = &o;
  r.stay = stay;
  r.told.clear();
  // Messages that were sent from here after it may still be on their way.
  if (!r.marked && before != no_pe) {
    r.marked = true;
    remote::send<marker_note>(before, id, stay_before, space_.me());
  } else if (!r.marked && id.home == space_.me()) {
    arrived(id, space_.me(), stay);
  }
}

// ---- messages

void routes::keep(route& r, mail& m, bool express) {
  m.join_group();
  r.kept.push_back({&m, no_pe, express});
}

void routes::deliver_here(object_base& o, mail& m, bool express) {
  require(
      space_.is_of(o, *m.of->type), "a message of {} for {}", [&] { return class_name(*m.of->type); },
      [&] { return space_.name_of(o); });
  const bool dormant = o.tsubu_header.dormant(), roams = o.tsubu_header.is(object_base::header::may_roam);
  if (dormant && !roams && execution::may_run_on_this_stack()) return m.of->run(space_, o, m);
  if (m.of->reenters) return space_.runs.run_soon(o, m);
  // Not at once, if others may want it: it may come with many.
  if (dormant && roams) return space_.runs.run_newest(o, m, express);
  space_.runs.wait(o, m, express);
}

void routes::send(const identity& id, pe_id from, std::uint32_t stay, mail& m, bool express) {
  route* const r = away(id);
  if (r == nullptr) {
    if (id.home != space_.me()) return send_on(id, id.home, 0, m, express);
    if (object_base* const o = space_.names.at_home(id)) return deliver_here(*o, m, express);
    if (space_.names.why_not(id, *m.of->type) == absence::unborn)
      return space_.runs.wait(space_.early.stand_in(id), m, express);
    return space_.drop(m, id);
  }
  if (r->local != nullptr && (!r->marked || stay == r->stay)) return deliver_here(*r->local, m, express);
  if (r->marked) return keep(*r, m, express);
  const pe_id next = r->next;
  const std::uint32_t next_stay = r->stay;
  if (from != no_pe && std::find(r->told.begin(), r->told.end(), from) == r->told.end()) {
    r->told.push_back(from);
    remote::send<moved_note>(from, id, next, next_stay);
  }
  send_on(id, next, next_stay, m, express);
}

void routes::send_on(const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express) {
  if (space_.sent_on != nullptr && (m.of->names_derived || type_of_number(*m.of->type).show != nullptr)) [[unlikely]]
    space_.sent_on(id);
  m.of->forward(id, to, stay, m, express);
}

void routes::send_again(const identity& id, mail& m, bool express) {
  const in_group_of guard(m);
  send(id, no_pe, 0, m, express);
}

// ---- by the handlers

void routes::ended(const identity& id) {
  space_.names.ended_away(id);
  forget(id);
}

void routes::moved(pe_id from, const identity& id, pe_id to, std::uint32_t stay) {
  route* r = find(id);
  if (r == nullptr) {
    if (id.home == space_.me()) return;  // it has ended, or is here
    r = &by_name_[id];
    r->next = id.home;
  }
  // Only the PE to which messages are sent from here may say so.
  if (r->local != nullptr || r->marked || r->next != from || stay <= r->stay) return;
  const std::uint32_t stay_before = r->stay;
  r->next = to;
  r->stay = stay;
  r->marked = true;
  remote::send<marker_note>(from, id, stay_before, space_.me());
}

void routes::marker(std::uint32_t stay, const identity& id, pe_id of) {
  route* const r = away(id);
  if (r == nullptr) {
    if (id.home != space_.me()) {
      remote::send<marker_note>(id.home, id, std::uint32_t{0}, of);
    } else {
      remote::send<arrived_note>(of, id, space_.me(), stay);
    }
  } else if (r->local != nullptr && (!r->marked || stay == r->stay)) {
    if (of == space_.me()) {
      arrived(id, of, r->stay);
    } else {
      remote::send<arrived_note>(of, id, space_.me(), r->stay);
    }
  } else if (r->marked) {
    r->kept.push_back({nullptr, of, false});
  } else {
    remote::send<marker_note>(r->next, id, r->stay, of);
  }
}

void routes::arrived(const identity& id, pe_id place, std::uint32_t stay) {
  route* const r = find(id);
  if (r == nullptr) return;  // it has ended meanwhile
  r->marked = false;
  std::vector<route::item> kept;
  kept.swap(r->kept);
  if (object_base* const o = r->local) {
    if (id.home == space_.me()) {
      const std::uint32_t type = space_.type_of(*o);
      remove_guest(*o);
      space_.names.set_here(id, type, *o);
      r->local = nullptr;
    }
    r->next = no_pe;
  } else {
    r->next = place;
    r->stay = stay;
  }
  {
    // What one of them would send, if it was executed now, would overtake the others.
    const queueing_only all_of_them;
    for (const route::item& i : kept) {
      if (i.m == nullptr) {
        marker(0, id, i.marker_of);
        continue;
      }
      send_again(id, *i.m, i.express);
    }
  }
  // It has waited with its departure.
  object_base* const o = space_.object_named(id);
  if (o != nullptr && o->tsubu_header.is(object_base::header::leaving)) space_.method_ended(*o);
}

void routes::forget(const identity& id) {
  const auto at = by_name_.find(id);
  if (at == by_name_.end()) return;
  std::vector<route::item> kept = std::move(at->second.kept);
  by_name_.erase(at);
  for (const route::item& i : kept) {
    if (i.m != nullptr) {
      space_.drop(*i.m, id);
    } else {
      remote::send<arrived_note>(i.marker_of, id, id.home, std::uint32_t{0});
    }
  }
}

}  // namespace tsubu::objects
