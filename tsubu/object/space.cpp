#include "tsubu/object/space.hpp"

#include <cstdio>

#include "tsubu/base/job_names.hpp"
#include "tsubu/object/arenas.hpp"
#include "tsubu/object/balance.hpp"
#include "tsubu/object/deferred_creations.hpp"
#include "tsubu/object/reports.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/settings.hpp"
#include "tsubu/object/tombstones.hpp"
#include "tsubu/object/watches.hpp"
#include "tsubu/remote/messages/remote_error.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu::objects {

object_space::object_space() : object_space(configured()) {}

namespace {

std::uint32_t pes_for_deferred_creations() {
  const bool straight = message::this_open_batches != nullptr;
  return straight && !remote::current_pe->transport().each_packet_alone() ? static_cast<std::uint32_t>(pe_count()) : 0;
}

}  // namespace

object_space::object_space(const space_settings& settings)
    : names(this_pe(), pe_count(), detail::job_names::jobs_before()),
      waiting(settings.mailbox_bytes, remote::current_pe->behind),
      has_sent_home_(std::make_unique<bool[]>(static_cast<std::size_t>(pes()))),
      creations_(std::make_unique<deferred_creations>(pes_for_deferred_creations())),
      tombstones_(std::make_unique<tombstones>()) {
  require(static_cast<std::uint32_t>(pes() - 1) <= identity::most_creator,
          "a job with concurrent objects has {} PEs at most", identity::most_creator + 1);
  remote::current_pe->waits.describe_by(&describe_wait);
}

object_space::~object_space() {
  names.for_each([](object_base& o, std::uint32_t type) { type_of_number(type).destroy(o); });
  if (routes_ != nullptr) routes_->destroy_guests();
  const std::string late = tombstones_->report(me());
  if (!late.empty()) std::fprintf(stderr, "%s\n", late.c_str());
}

counters object_space::counted() const {
  return {created_, ended_, runs.queued(), runs.were_put_off(), tombstones_->late(), moved_in_};
}

routes& object_space::places() {
  if (routes_ == nullptr) routes_ = std::make_unique<routes>(*this);
  return *routes_;
}

balancer& object_space::balance() {
  if (balancer_ == nullptr) balancer_ = std::make_unique<balancer>(*this);
  return *balancer_;
}

watches& object_space::watchers() {
  if (watches_ == nullptr) watches_ = std::make_unique<watches>();
  return *watches_;
}

arenas& object_space::of_arenas() {
  if (arenas_ == nullptr) arenas_ = std::make_unique<arenas>();
  return *arenas_;
}

void object_space::made_in_epoch(const identity& id) {
  auto& in = static_cast<remote::epoch_part&>(*this_task_group);
  if (in.id().in_arena()) of_arenas().made(id, in);
}

pe_id object_space::place_new(bool can_move) { return balance().place_new(can_move); }

void object_space::before_running() {
  if (balancer_ != nullptr) balancer_->before_running();
}

void object_space::after_running() {
  if (balancer_ != nullptr) balancer_->after_running();
}

// ---- an object here

identity object_space::identity_of(const object_base& o) const {
  if (o.tsubu_header.is(bits::guest)) [[unlikely]]
    return routes_->guest_at(o).id;
  return names.identity_of(o.tsubu_header.creator(), o.tsubu_header.number());
}

std::uint32_t object_space::type_of(const object_base& o) const {
  if (o.tsubu_header.is(bits::guest)) return routes_->guest_at(o).type;
  return names.slot_of(o.tsubu_header.creator(), o.tsubu_header.number()).type();
}

object_base* object_space::object_named(const identity& id) {
  if (id.home == me()) {
    if (object_base* const o = names.at_home(id)) return o;
  }
  if (!knows_routes()) return nullptr;
  const route* const r = places().find(id);
  return r != nullptr ? r->local : nullptr;
}

object_base* object_space::find_derived(const identity& id, std::uint32_t base) {
  const name_table::slot* const s = names.slot_address(id.creator(), id.number());
  if (s == nullptr || !s->has_object() || s->generation() != id.generation()) return nullptr;
  return bases.offset(s->type(), base, *s->object) == base_classes::no_base ? nullptr : s->object;
}

bool object_space::is_of(object_base& o, std::uint32_t type) {
  const std::uint32_t own = type_of(o);
  return own == type || bases.offset(own, type, o) != base_classes::no_base;
}

void* object_space::part_of(object_base& o, std::uint32_t base) {
  return reinterpret_cast<std::byte*>(&o) + bases.offset(type_of(o), base, o);
}

// ---- its begin

void object_space::failed_to_make(identity id, const wire::handler_entry& as, message_queue reentrant,
                                  message_queue own) {
  const remote_error e(remote::error_being_handled());
  const std::string name = name_text(id, names.slot_of(id.creator(), id.number()).type());
  tombstones_->not_made(id, name + " could not be made: " + e.what());
  names.leave_tombstone(id);
  message_queue came = early.take(id);
  drop_all(came, id);
  drop_all(reentrant, id);
  drop_all(own, id);
  message::this_endpoint->escaped_from("the constructor of " + name, as, std::current_exception());
}

void object_space::adopt_messages(object_base& o, const identity& id) {
  message_queue all = early.take(id);
  if (all.empty()) return;
  object_base::header& h = o.tsubu_header;
  // What it has sent to itself in its constructor came later.
  message_queue own = std::exchange(h.queue, message_queue());
  const auto pass = [](message_queue& from, message_queue& to) {
    const bool express = from.first_is_express();
    mail& m = from.pop();
    express ? to.push_express(m) : to.push(m);
  };
  while (!own.empty()) pass(own, all);
  while (!all.empty()) {
    const mail& first = *all.first();
    require(
        is_of(o, *first.of->type), "a message of {} for {}", [&] { return class_name(*first.of->type); },
        [&] { return name_of(o); });
    if (first.of->reenters) {
      runs.run_soon_again(o, all.pop());
    } else {
      pass(all, h.queue);
    }
  }
  if (!h.queue.empty()) h.set(bits::queued);
}

// ---- the end of a method, and its own

void object_space::method_ended_slowly(object_base& o) {
  object_base::header& h = o.tsubu_header;
  if (h.is(bits::serving)) return runs.served(o);
  h.clear(bits::busy | bits::waiting);
  if (h.is(bits::ending | bits::leaving)) [[unlikely]] {
    if (h.is(bits::runnable)) runs.unlist(o);  // a reentrant method has ended it
    // A method that waits and does not keep the object still refers to it.
    if (h.is(bits::entered)) {
      h.set(bits::busy);
      return;
    }
    return h.is(bits::ending) ? end_now(o) : places().depart(o);
  }
  if (!h.queue.empty()) {
    h.set(bits::queued);
    if (!h.is(bits::held)) runs.list(o, false);
  }
}

void object_space::reentrant_ended(object_base& o) {
  runs.reentrant_ended(o);
  const object_base::header& h = o.tsubu_header;
  // It only waited for this one.
  if (h.is(bits::ending | bits::leaving) && !h.is(bits::waiting)) method_ended_slowly(o);
}

void object_space::end_early(object_base& o) {
  object_base::header& h = o.tsubu_header;
  // As most are: dormant, at home, and nothing of it is kept elsewhere.
  if ((h.state & ~static_cast<unsigned>(bits::may_roam)) == 0) [[likely]] {
    const object_type& type = type_of_number(names.slot_of(h.creator(), h.number()).type());
    ++ended_;
    names.release(h.creator(), h.number());
    return type.destroy(o);
  }
  if (h.is(bits::busy)) {
    h.set(bits::ending);
    return runs.serves_no_more(o);
  }
  if (h.is(bits::runnable)) runs.unlist(o);
  if (!h.is(bits::entered)) return end_now(o);
  h.set(bits::ending | bits::busy);
}

void object_space::end_now(object_base& o) {
  const identity id = identity_of(o);
  const object_type& type = type_of_number(type_of(o));
  message_queue queue = o.tsubu_header.queue, reentrant = runs.take_reentrant(o);
  if (o.tsubu_header.is(bits::leaving)) places().cancel_departure(o);
  watches::record watched;
  if (o.tsubu_header.is(bits::watched)) watched = watches_->take(o);
  ++ended_;
  if (o.tsubu_header.is(bits::guest)) {
    places().guest_ended(o, id);
  } else {
    names.release(id.creator(), id.number());
  }
  type.destroy(o);
  drop_all(reentrant, id);
  drop_all(queue, id);
  watches::tell(std::move(watched));
}

// ---- a message that finds nobody

void object_space::run_later(object_base* o, const identity& id, pe_id from, mail& m, bool express) {
  if (o == nullptr) [[unlikely]]
    return missed(id, from, m, express);
  // Not in the queue: it would wait there for a method that begins before it, and may wait for its answer.
  if (m.of->reenters) return runs.run_soon(*o, m);
  runs.wait(*o, m, express);
}

void object_space::missed(const identity& id, pe_id from, mail& m, bool express) {
  switch (names.why_not(id, *m.of->type)) {
    case absence::gone:
      return drop(m, id);
    case absence::unborn:
      return runs.wait(early.stand_in(id), m, express);
    case absence::away:
      return places().send(id, from, 0, m, express);
  }
}

bool object_space::has_moved(const identity& id) { return places().find(id) != nullptr; }

void object_space::send_after(const identity& id, mail& m, bool express) { places().send(id, no_pe, 0, m, express); }

void object_space::drop_all(message_queue& queue, const identity& id) {
  while (!queue.empty()) drop(queue.pop(), id);
}

// The end of a monitor, an owner or a link comes late as often as not, and no program has sent it.
static bool is_sent_by_itself(const method_info& of) {
  return of.method == &method_identity<&object_base::tsubu_unwatch> || ends_object(of);
}

void object_space::drop(mail& m, const identity& id) {
  const in_group_of guard(m);
  if (m.reply.wanted()) {
    m.reply.gone(tombstones_->why(*m.of, id));
  } else if (!is_sent_by_itself(*m.of)) {
    tombstones_->count_late(m, id);
  }
  m.of->free(m);
}

void object_space::tell_late_to(late_message_teller teller) { tombstones_->tell_late_to(teller); }

void check_place(pe_id pe) {
  const pe_id pes = pe_count();
  require(0 <= pe && pe < pes, "an object is to move to PE {}, but the job's PEs are 0 to {}", pe, pes - 1);
}

}  // namespace tsubu::objects
