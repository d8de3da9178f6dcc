#include "tsubu/collection/collector.hpp"

#include <array>

#include "tsubu/collection/edges.hpp"
#include "tsubu/collection/slice.hpp"
#include "tsubu/collection/strong_ref.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::collection {

using objects::edges;
using objects::identity;
using objects::object_base;
using objects::object_type;
using bits = object_base::header::bits;

const pe_local<collector> collectors;

namespace {

struct mark_note {
  using layout = wire::layout<identity>;
  static void call(const message::delivery& d, const identity& id) {
    objects::check_name(d.from, id);
    collectors->mark(id);
  }
};

// Objects whose home this is.
struct marks_note {
  using layout = wire::layout<collector::bunch>;
  static void call(const message::delivery& d, const collector::bunch& words) {
    for (const std::uint64_t word : words) {
      const identity id(this_pe(), word);
      objects::check_name(d.from, id);
      collectors->mark(id);
    }
  }
};

struct traced_mark_note {
  using layout = wire::layout<identity, cause>;
  static void call(const message::delivery& d, const identity& id, const cause& why) {
    objects::check_name(d.from, id);
    names_held->note(id, why);
    collectors->mark(id);
  }
};

// Nothing of it runs or waits.
bool at_rest(const object_base& o) {
  return (o.tsubu_header.state & ~unsigned{bits::may_roam | bits::guest | bits::watched | bits::colour}) == 0;
}

}  // namespace

collector::collector()
    : space_(objects::this_space()), names_(*names_held), at_once_(configured().slice_ns > 0 ? most_at_once : 1) {}

template <class F>
task<void> collector::for_each_collected(F f) {
  std::array<candidate, most_at_once> found;
  std::uint32_t count = 0;
  const auto gather = [&](object_base& o, std::uint32_t number) {
    if (objects::type_of_number(number).show == nullptr) return;
    found[count++] = {&o, number};
    if (count == at_once_) f(found.data(), std::exchange(count, 0));
  };
  const auto rest = [&] { f(found.data(), std::exchange(count, 0)); };
  // Guests first: one may become an object at home, but none the reverse without having arrived anew.
  if (space_.knows_routes()) space_.places().for_each_guest(gather);
  rest();
  objects::name_table::place at;
  slice now;
  bool more = true;
  while (more) {
    more = space_.names.for_some(at, at_once_, gather, ends_.data());
    rest();
    if (more && now.over(at_once_)) co_await now.pause();
  }
}

// ---- marking

bool collector::begin(std::uint32_t cycle, bool keep_causes) {
  if (names_.cycle() == cycle) return false;
  names_.begin_cycle(cycle);
  names_.keep_causes(keep_causes);
  by_class_.assign(objects::type_count(), {});
  ends_ = space_.names.sizes();
  space_.sent_on = [](const identity& id) { names_held->shade(id); };
  return true;
}

void collector::show_if_at_rest(const candidate& c, edges& to) {
  if (!names_.is_white(*c.object)) return;
  if (at_rest(*c.object)) {
    objects::type_of_number(c.type).show(*c.object, to);
  } else {
    add_active(*c.object);
  }
}

void collector::add_active(object_base& o) {
  const identity id = space_.identity_of(o);
  names_.led_by({cause::kind::itself, space_.me(), id});
  names_.add_grey(id);
  names_.led_by_code();
}

task<void> collector::mark_from_roots() {
  edges counted(names_, edges::purpose::count);
  const auto count = [this, &counted](const candidate* first, std::uint32_t n) {
    fetch(first, n);
    for (std::uint32_t i = 0; i < n; ++i) show_if_at_rest(first[i], counted);
  };
  co_await for_each_collected(count);
  // What objects hold that do not rest is held by somebody unseen, too; the path by them says more.
  if (names_.keeps_causes()) co_await mark_grey();
  co_await shade_what_is_held();
  co_await mark_grey();
}

task<void> collector::shade_what_is_held() {
  const auto shade = [this](stub& s) {
    const std::uint32_t shown = s.shown_in == names_.cycle() ? s.shown : 0;
    if (s.count > shown) names_.shade(s);
  };
  slice now;
  // Those that are made from now on have been shaded by who has made them.
  const std::size_t end = names_.end_of_stubs();
  std::size_t at = 0;
  while (names_.for_some(at, at_once_, shade) && at < end) {
    if (now.over(at_once_)) co_await now.pause();
  }
}

// The objects that are looked at next are far, if there are many: they are fetched together, and then the stubs that
// they show.
void collector::fetch(const candidate* first, std::uint32_t count) {
  if (!are_many()) return;
  for (std::uint32_t i = 0; i < count; ++i) __builtin_prefetch(first[i].object);
  edges stubs(names_, edges::purpose::fetch);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (first[i].object == nullptr || !names_.is_white(*first[i].object)) continue;
    const object_type& type = objects::type_of_number(first[i].type);
    if (type.show != nullptr) type.show(*first[i].object, stubs);
  }
}

collector::candidate collector::look_up(const identity& id) const {
  if (id.home == space_.me()) {
    const objects::name_table::slot* const s = space_.names.slot_at_home(id);
    if (s != nullptr) return {s->object, s->type()};
  }
  object_base* const o = space_.knows_routes() ? space_.object_named(id) : nullptr;
  return {o, o != nullptr ? space_.type_of(*o) : 0};
}

void collector::mark_some(edges& reached) {
  std::array<identity, most_at_once> next;
  std::array<candidate, most_at_once> found;
  std::uint32_t count = 0;
  for (; count < at_once_ && names_.has_grey(); ++count) {
    next[count] = names_.take_grey();
    if (!are_many() || next[count].home != space_.me()) continue;
    __builtin_prefetch(space_.names.slot_address(next[count].creator(), next[count].number()));
  }
  for (std::uint32_t i = 0; i < count; ++i) found[i] = look_up(next[i]);
  fetch(found.data(), count);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (found[i].object == nullptr) {
      mark_elsewhere(next[i]);
    } else {
      mark_one(found[i], next[i], reached);
    }
  }
  // Before the program goes on: a mark must not come behind what it sends.
  send_bunch();
}

task<void> collector::mark_grey() {
  if (marks_) co_return;
  marks_ = true;
  edges reached(names_, edges::purpose::mark);
  slice now;
  while (names_.has_grey()) {
    mark_some(reached);
    if (now.over(at_once_)) co_await now.pause();
  }
  marks_ = false;
}

void collector::mark_one(const candidate& c, const identity& id, edges& to) {
  const object_type& type = objects::type_of_number(c.type);
  if (type.show == nullptr || !names_.is_white(*c.object)) return;
  names_.colour(*c.object);
  ++by_class_[c.type].marked;
  names_.led_by({cause::kind::object, space_.me(), id});
  type.show(*c.object, to);
  names_.led_by_code();
}

void collector::mark_elsewhere(const identity& id) {
  const pe_id to_pe = way_to(id);
  // Else it has ended, or is yet to be made, and then it is not white.
  if (to_pe == no_pe) return;
  if (names_.keeps_causes()) return remote::send<traced_mark_note>(to_pe, id, names_.cause_of(id));
  if (to_pe != id.home) return remote::send<mark_note>(to_pe, id);
  if (to_pe != home_of_bunch_ || in_bunch_ == bunch_.size()) send_bunch();
  home_of_bunch_ = to_pe;
  bunch_[in_bunch_++] = id.word();
}

void collector::send_bunch() {
  if (in_bunch_ == bunch_.size()) {
    remote::send<marks_note>(home_of_bunch_, bunch_);
  } else {
    for (std::size_t i = 0; i < in_bunch_; ++i)
      remote::send<mark_note>(home_of_bunch_, identity(home_of_bunch_, bunch_[i]));
  }
  in_bunch_ = 0;
}

pe_id collector::way_to(const identity& id) const {
  const objects::route* const r = space_.knows_routes() ? space_.places().find(id) : nullptr;
  if (r != nullptr && r->next != no_pe) return r->next;
  return id.home != space_.me() ? id.home : no_pe;
}

found_object collector::find(const identity& id) const {
  if (const object_base* const o = space_.object_named(id); o != nullptr) {
    return {.is_here = true, .name = space_.name_of(*o), .why = names_.cause_of(id)};
  }
  return {.next = way_to(id)};
}

void collector::mark(const identity& id) {
  names_.add_grey(id);
  if (!marks_ && names_.has_grey() && !std::exchange(will_mark_, true)) spawn(mark_in_next_step());
}

// Behind all that have come with it, to look at many together.
task<void> collector::mark_in_next_step() {
  co_await next_step();
  will_mark_ = false;
  co_await mark_grey();
}

// ---- the end of a cycle

void collector::freeze_one(const candidate& c) {
  object_base::header& h = c.object->tsubu_header;
  if (!names_.is_white(*c.object) || h.is(bits::frozen)) return;
  if (!at_rest(*c.object)) return add_active(*c.object);
  h.set(bits::busy | bits::frozen);
  frozen_.push_back(c);
}

task<bool> collector::freeze() {
  names_.begin_to_freeze();
  // Messages may wait here for objects that are elsewhere, or are here, and would go to them after they have been
  // frozen. Who sends one that is yet to come has shaded its receiver.
  if (space_.knows_routes()) {
    space_.places().for_each_kept([this](const identity& id) { names_.shade(id); });
  }
  const auto freeze = [this](const candidate* first, std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i) freeze_one(first[i]);
  };
  co_await for_each_collected(freeze);
  co_return !names_.has_grey();
}

void collector::thaw() {
  names_.freezes_no_more();
  for (const candidate& c : std::exchange(frozen_, {})) {
    c.object->tsubu_header.clear(bits::frozen);
    space_.method_ended(*c.object);
  }
}

task<void> collector::forget_white() {
  slice now;
  for (std::uint32_t i = 1; !frozen_.empty(); ++i) {
    const candidate c = frozen_.back();
    frozen_.pop_back();
    ++by_class_[c.type].ended;
    c.object->tsubu_header.clear(bits::busy | bits::frozen);
    space_.end_early(*c.object);
    if (i % at_once_ == 0 && now.over(at_once_)) co_await now.pause();
  }
}

// No strong_ref has ever been elsewhere, none is left here, and whoever sent a message by one did so on this PE, where
// it would be seen. An object that moves may have messages behind it: then a cycle decides.
bool collector::end_unheld(const stub& s) {
  if (!s.only_here || space_.knows_routes()) return true;
  object_base* const o = space_.object_named(s.id);
  // It may be yet to be made: with the messages that wait for it.
  if (o == nullptr || !at_rest(*o)) return false;
  ++ended_at_once_;
  names_.pace.ended();
  space_.end_early(*o);
  return true;
}

// Who drops a strong_ref does not expect a destructor to run there.
task<void> collector::look_in_next_step() {
  if (std::exchange(looks_, true)) co_return;
  co_await next_step();
  co_await look_at_dropped();
  looks_ = false;
}

task<void> collector::look_at_dropped() {
  slice now;
  names_.look_again();
  const auto end = [this](const stub& s) { return !end_unheld(s); };
  for (std::uint32_t i = 1; !names_.marking() && names_.look_at_dropped(end); ++i) {
    if (i % at_once_ == 0 && now.over(at_once_)) co_await now.pause();
  }
}

task<cycle_report> collector::end_white() {
  space_.sent_on = nullptr;
  // What a destructor does to its strong_refs marks nothing.
  names_.freezes_no_more();
  names_.end_marking();
  co_await forget_white();
  co_await look_at_dropped();
  names_.end_cycle();
  cycle_report report;
  std::uint64_t marked = 0;
  for (std::uint32_t number = 0; number < by_class_.size(); ++number) {
    class_account& of = by_class_[number];
    of.number = number;
    marked += of.marked;
    if (of.marked != 0 || of.ended != 0) report.by_class.push_back(of);
  }
  names_.pace.cycle_ends(marked);
  report.pauses = std::exchange(slices_here->lengths, {});
  report.ended_at_once = std::exchange(ended_at_once_, 0);
  co_return report;
}

void end_what_nobody_holds() {
  const task_group_scope in_none(nullptr);
  spawn(collectors->look_in_next_step());
}

// ---- strong_refs that travel

travelling_name written(const hold& h) {
  stub* const s = h.at();
  if (s == nullptr) return {};
  h.touch();
  s->only_here = false;
  const bool marking = s->of != nullptr && s->of->marking();
  return {s->id, marking ? 1 + (s->of->cycle() & 1) : 0};
}

hold came(const travelling_name& n) {
  if (n.id.home == no_pe) return {};
  held_names& names = *names_held;
  const objects::object_space& space = objects::this_space();
  if (static_cast<std::uint32_t>(n.id.home) >= static_cast<std::uint32_t>(space.pes()) || n.id.creator() >= space.pes())
    throw wire::bad_bytes("a strong_ref names an object of a PE that the job has not");
  stub& s = names.of(n.id);
  if (names.marking() && n.shaded == 1 + (names.cycle() & 1)) names.count_as_shaded(s);
  return hold(s);
}

}  // namespace tsubu::collection

namespace tsubu::objects {

edges::edges(collection::held_names& names, purpose what) : archive(this), names_(names), purpose_(what) {}
edges::~edges() = default;

void edges::saw_one(const collection::hold& h) {
  collection::stub* const s = h.at();
  if (purpose_ == purpose::fetch) return __builtin_prefetch(s);
  if (s->of != &names_) return;
  if (purpose_ == purpose::mark) return names_.shade(*s);
  const std::uint32_t cycle = names_.cycle();
  if (!h.show_in(cycle)) return;
  if (s->shown_in != cycle) {
    s->shown_in = cycle;
    s->shown = 0;
  }
  ++s->shown;
}

}  // namespace tsubu::objects
