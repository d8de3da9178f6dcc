#include "tsubu/object/balance.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/accounting.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/task/context.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::objects {

using bits = object_base::header::bits;

namespace {

struct work_request {
  using layout = wire::layout<>;
  static void call(const message::delivery& d) { this_space().balance().asked_by(d.from); }
};
struct hungry_note {
  using layout = wire::layout<>;
  static void call(const message::delivery& d) { this_space().balance().hungry_is(d.from); }
};
struct place_chosen {
  using layout = wire::layout<>;
  static void call(const message::delivery& d) { this_space().balance().chosen_by(d.from); }
};
struct nothing_to_give {
  using layout = wire::layout<>;
  static void call(const message::delivery&) { this_space().balance().refused(); }
};

}  // namespace

// A task that goes on for long would leave them in a batch that nobody flushes.
static bool send_new_objects(void*) {
  remote::current_pe->flush(message::flush_reason::idle);
  return false;
}

balancer::balancer(object_space& space)
    : space_(space), sender_(&send_new_objects, nullptr), chance_(static_cast<std::uint64_t>(space.me()) + 1) {
  remote::current_pe->watch_idle(*this);
  const std::int64_t pes = pe_count();
  for (std::int64_t distance = 1; distance < pes; distance *= 2) {
    told_.push_back(static_cast<pe_id>((space.me() + distance) % pes));
    hungry_.push_back(static_cast<pe_id>((space.me() + pes - distance) % pes));
  }
  set_slice();
}

// After each change of hungry_ and turns_asked_.
void balancer::set_slice() {
  space_.keep_new(hungry_.empty());
  space_.runs.limit_slice(slice_ns());
}

std::int64_t balancer::slice_ns() const {
  if (!hungry_.empty()) return short_slice_ns;
  return turns_asked_ > 0 ? asked_slice_ns : usual_slice_ns;
}

pe_id balancer::place_new(bool can_move) {
  if (can_move || hungry_.empty()) return space_.me();
  const pe_id to = hungry_.front();
  hungry_.erase(hungry_.begin());
  set_slice();
  // Ahead of the object, in the same batch mostly: to the creation itself it would be one more byte for all others. An
  // epoch need not wait for it.
  const task_group_scope in_none(nullptr);
  remote::send<place_chosen>(to);
  sender_.schedule();
  return to;
}

// ---- giving

bool balancer::give(pe_id to, std::size_t among) {
  std::size_t given = give_objects(to, among);
  for (std::size_t i = 0; given == 0 && i < sources_.size(); ++i) given = sources_[i]->give(to, among);
  if (given == 0) return false;
  remote::current_pe->accounts.work_given(to, given);
  remote::current_pe->flush(message::flush_reason::idle);  // somebody waits for it
  return true;
}

// One that has nothing but its end before it is not worth a packet.
static bool ends_next(const object_base& o) {
  const mail* const first = o.tsubu_header.queue.first();
  return first != nullptr && ends_object(*first->of);
}

std::size_t balancer::give_objects(pe_id to, std::size_t among) {
  const auto may_leave = [this](const object_base& o) {
    const object_base::header& h = o.tsubu_header;
    return h.is(bits::may_roam) && !h.is(bits::busy | bits::ending | bits::entered) && !ends_next(o) &&
           !(space_.knows_routes() && space_.places().is_marked(space_.identity_of(o)));
  };
  // In a tree, of no more than lie beside one path down it, the last is as large as all the others.
  const std::size_t there = space_.runs.passed_over();
  const bool is_path = there <= longest_path && !flat_;
  const std::size_t share = is_path ? 1 : std::clamp<std::size_t>(there / among, 1, most_given);
  const std::size_t wanted = std::min(there, share);
  std::size_t given = 0;
  for (; given < wanted; ++given) {
    object_base* const o = space_.runs.take_last(may_leave);
    if (o == nullptr) break;
    space_.places().move_away(*o, to, {no_pe, 0, 0});
  }
  return given;
}

void balancer::after_running() {
  const std::uint64_t created = space_.counted().created;
  flat_ = created == std::exchange(created_before_turn_, created);
  turn_over();
}

void balancer::turn_over() {
  if (turns_asked_ > 0 && --turns_asked_ == 0) set_slice();
  serve_hungry();
}

// ---- sources

void balancer::add(work_source& source) {
  sources_.push_back(&source);
  ++sources_added_;
}

void balancer::remove(work_source& source) { std::erase(sources_, &source); }

bool balancer::any_source_has_work() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const work_source* s) { return s->has_work(); });
}

// Who got several got them from flat work, and most of them would wait here as they did there.
//
// What tasks have sent since they used up the slice waits behind that much work, as if a turn had passed it over; and
// will go on to do so, since the task that has sent the last of it is ready. Without one, the PE would give away all it
// has.
void balancer::before_running() {
  const bool several_came = std::exchange(fed_, 0) >= 2;
  if (hungry_.empty()) return;
  if (several_came) {
    flat_ = true;
  } else if (!space_.runs.tasks_are_ahead() || this_task_context->empty()) {
    return;
  }
  space_.runs.pass_over_all();
  serve_hungry();
}

// Each gets as much as is left here.
void balancer::serve_hungry() {
  if (hungry_.empty()) return;
  std::size_t served = 0;
  while (served < hungry_.size() && give(hungry_[served], hungry_.size() - served + 1)) ++served;
  hungry_.erase(hungry_.begin(), hungry_.begin() + static_cast<std::ptrdiff_t>(served));
  set_slice();
}

void balancer::asked_by(pe_id thief) {
  turns_asked_ = turns_after_asked;
  set_slice();
  if (give(thief, 2)) return;
  remote::send<nothing_to_give>(thief);
  if (!this_task_context->empty()) remote::current_pe->flush(message::flush_reason::idle);  // else soon
}

void balancer::hungry_is(pe_id who) {
  if (give(who, 2) || std::find(hungry_.begin(), hungry_.end(), who) != hungry_.end()) return;
  hungry_.push_back(who);
  set_slice();
}

// ---- asking

// Once for each time that there was work.
void balancer::on_idle() {
  const counters made = space_.counted();
  const std::uint64_t work = made.created + made.moved_in + sources_added_ + chosen_;
  if (work == work_when_asked_ || space_.runs.runnable() != 0 || any_source_has_work() || pe_count() == 1) return;
  work_when_asked_ = work;
  asked_ = std::exchange(chosen_since_, false) ? most_asked : 0;
  ask();
}

pe_id balancer::victim() {
  const auto pes = static_cast<std::uint64_t>(pe_count());
  const std::uint64_t among = asked_ == 0 ? std::min(near_pes, pes - 1) : pes - 1;
  return static_cast<pe_id>((static_cast<std::uint64_t>(space_.me()) + 1 + chance_.below(among)) % pes);
}

void balancer::ask() {
  if (asked_ < most_asked) {
    remote::send<work_request>(victim());
    ++asked_;
    return;
  }
  const std::int64_t pes = pe_count();
  for (std::int64_t distance = 1; distance < pes; distance *= 2) {
    const auto to = static_cast<pe_id>((space_.me() + distance) % pes);
    if (std::find(told_.begin(), told_.end(), to) != told_.end()) continue;
    told_.push_back(to);
    remote::send<hungry_note>(to);
  }
}

void balancer::refused() { ask(); }

void balancer::fed_by(pe_id from) {
  ++fed_;
  std::erase(told_, from);
}

// It counts as work by itself: the constructor may throw, and a place may be asked for (anywhere::choose) and not used.
void balancer::chosen_by(pe_id from) {
  ++chosen_;
  chosen_since_ = true;
  std::erase(told_, from);
}

}  // namespace tsubu::objects
