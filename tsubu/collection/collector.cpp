#include "tsubu/collection/collector.hpp"

#include "tsubu/collection/edges.hpp"
#include "tsubu/collection/strong_ref.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/task/yield.hpp"

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

// Nothing of it runs or waits.
bool at_rest(const object_base& o) {
  return (o.tsubu_header.state & ~unsigned{bits::may_roam | bits::guest | bits::watched | bits::colour}) == 0;
}

}  // namespace

collector::collector() : space_(objects::this_space()), names_(*names_held) {}

template <class F>
task<void> collector::for_each_collected(F f) {
  const auto look = [&f](object_base& o, std::uint32_t number) {
    const object_type& type = objects::type_of_number(number);
    if (type.show != nullptr) f(o, type);
  };
  // Guests first: one may become an object at home, but none the reverse without having arrived anew.
  if (space_.knows_routes()) space_.places().for_each_guest(look);
  objects::name_table::place at;
  while (space_.names.for_some(at, slice, look)) co_await yield();
}

// ---- marking

bool collector::begin(std::uint32_t cycle) {
  if (names_.cycle() == cycle) return false;
  names_.begin_cycle(cycle);
  space_.sent_on = [](const identity& id) { names_held->shade(names_held->of(id)); };
  return true;
}

void collector::show_if_at_rest(object_base& o, const object_type& type, edges& to) {
  if (!names_.is_white(o)) return;
  if (at_rest(o)) {
    type.show(o, to);
  } else {
    names_.add_grey(space_.identity_of(o));
  }
}

task<void> collector::mark_from_roots() {
  edges counted(names_, edges::purpose::count);
  const auto count = [this, &counted](object_base& o, const object_type& type) { show_if_at_rest(o, type, counted); };
  co_await for_each_collected(count);
  std::uint32_t looked_at = 0;
  // New ones come in front, and none goes before the cycle ends.
  for (stub* s = names_.first(); s != nullptr; s = s->next) {
    const std::uint32_t shown = s->shown_in == names_.cycle() ? s->shown : 0;
    if (s->count > shown) names_.shade(*s);
    if (++looked_at % slice == 0) co_await yield();
  }
  co_await mark_grey();
}

task<void> collector::mark_grey() {
  if (marks_) co_return;
  marks_ = true;
  edges reached(names_, edges::purpose::mark);
  std::vector<identity>& grey = names_.grey();
  while (!grey.empty()) {
    for (std::uint32_t i = 0; i < slice && !grey.empty(); ++i) {
      const identity id = grey.back();
      grey.pop_back();
      mark_one(id, reached);
    }
    co_await yield();
  }
  marks_ = false;
}

void collector::mark_one(const identity& id, edges& to) {
  if (object_base* const o = space_.object_named(id)) {
    const object_type& type = objects::type_of_number(space_.type_of(*o));
    if (type.show == nullptr || !names_.is_white(*o)) return;
    names_.colour(*o);
    return type.show(*o, to);
  }
  const objects::route* const r = space_.knows_routes() ? space_.places().find(id) : nullptr;
  if (r != nullptr && r->next != no_pe) {
    remote::send<mark_note>(r->next, id);
  } else if (id.home != space_.me()) {
    remote::send<mark_note>(id.home, id);
  }
  // Else it has ended, or is yet to be made, and then it is not white.
}

void collector::mark(const identity& id) {
  names_.add_grey(id);
  if (!names_.grey().empty()) spawn(mark_grey());
}

// ---- the end of a cycle

void collector::freeze_one(object_base& o, const object_type&) {
  object_base::header& h = o.tsubu_header;
  if (!names_.is_white(o) || h.is(bits::frozen)) return;
  if (!at_rest(o)) return names_.add_grey(space_.identity_of(o));
  h.set(bits::busy | bits::frozen);
  frozen_.push_back(&o);
}

task<bool> collector::freeze() {
  const auto freeze = [this](object_base& o, const object_type& type) { freeze_one(o, type); };
  co_await for_each_collected(freeze);
  // Messages may wait here for objects that are elsewhere.
  if (space_.knows_routes()) {
    space_.places().for_each_kept([this](const identity& id) { names_.shade(names_.of(id)); });
  }
  co_return names_.grey().empty();
}

void collector::thaw() {
  for (object_base* const o : std::exchange(frozen_, {})) {
    o->tsubu_header.clear(bits::frozen);
    space_.method_ended(*o);
  }
}

task<std::uint64_t> collector::end_white() {
  space_.sent_on = nullptr;
  names_.end_cycle();
  const std::uint64_t all = frozen_.size();
  std::uint32_t ended = 0;
  while (!frozen_.empty()) {
    object_base* const o = frozen_.back();
    frozen_.pop_back();
    o->tsubu_header.clear(bits::busy | bits::frozen);
    space_.end_early(*o);
    if (++ended % slice == 0) co_await yield();
  }
  co_return all;
}

// ---- strong_refs that travel

travelling_name written(const hold& h) {
  const stub* const s = h.at();
  if (s == nullptr) return {};
  h.touch();
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

edges::edges(collection::held_names& names, purpose what)
    : OutputArchive<edges, cereal::AllowEmptyClassElision>(this), names_(names), purpose_(what) {}
edges::~edges() = default;

void edges::saw(const collection::hold& h) {
  collection::stub* const s = h.at();
  if (s == nullptr || s->of != &names_) return;
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
