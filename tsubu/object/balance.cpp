#include "tsubu/object/balance.hpp"

#include <algorithm>

#include "tsubu/object/placement.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/send.hpp"

namespace tsubu {

namespace objects {

namespace {

struct idle_note {
  using layout = wire::layout<>;
  static void call(const message::delivery& d) { this_space().balance().asked_by(d.from); }
};

}  // namespace

balancer::balancer(object_space& space) : space_(space), next_asked_(space.me()) {
  remote::current_pe->watch_idle(*this);
  const pe_id pes = pe_count();
  for (pe_id i = std::min<pe_id>(pes, most_asked) - 1; i > 0; --i) idle_.push_back((space.me() + i) % pes);
  space_.keep_new(idle_.empty());
}

pe_id balancer::choose() {
  if (idle_.empty()) return space_.me();
  const pe_id to = idle_.back();
  idle_.pop_back();
  space_.keep_new(idle_.empty());
  return to;
}

bool balancer::give(pe_id to) {
  // One that may roam and has something to run, but runs nothing.
  const auto may_leave = [this](const object_base& o) {
    using bits = object_base::header::bits;
    const object_base::header& h = o.tsubu_header;
    return h.is(bits::may_roam) && !h.is(bits::busy | bits::ending | bits::entered) &&
           !(space_.knows_routes() && space_.places().is_marked(space_.identity_of(o)));
  };
  object_base* const o = space_.runs.take_last(may_leave);
  if (o == nullptr) return false;
  space_.places().move_away(*o, to, {no_pe, 0, 0});
  remote::current_pe->flush(message::flush_reason::idle);  // somebody waits for it
  return true;
}

void balancer::after_running() {
  while (!idle_.empty() && give(idle_.back())) idle_.pop_back();
  space_.keep_new(idle_.empty());
}

void balancer::asked_by(pe_id idle) {
  if (give(idle) || std::find(idle_.begin(), idle_.end(), idle) != idle_.end()) return;
  idle_.push_back(idle);
  space_.keep_new(false);
}

// Asks once for each time that there was work.
void balancer::on_idle() {
  const counters counted = space_.counted();
  const std::uint64_t work = counted.created + counted.moved_in;
  if (work == work_when_asked_ || space_.runs.listed() != 0) return;
  work_when_asked_ = work;
  const pe_id pes = pe_count();
  for (pe_id i = std::min<pe_id>(pes - 1, most_asked); i > 0; --i) {
    next_asked_ = (next_asked_ + 1) % pes;
    if (next_asked_ == space_.me()) next_asked_ = (next_asked_ + 1) % pes;
    remote::send<idle_note>(next_asked_);
  }
}

}  // namespace objects

pe_id anywhere::least_loaded() { return objects::this_space().balance().choose(); }

}  // namespace tsubu
