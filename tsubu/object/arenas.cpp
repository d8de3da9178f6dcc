#include "tsubu/object/arenas.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/object/arena.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::objects {
namespace {

struct made_in_arena {
  using layout = wire::layout<remote::epoch_id>;
  static void call(const message::delivery& d, remote::epoch_id in) {
    this_space().of_arenas().made_elsewhere(in, d.from);
  }
};

struct end_of_arena {
  using layout = wire::layout<remote::epoch_id>;
  static void call(const message::delivery&, remote::epoch_id of) { this_space().of_arenas().end(this_space(), of); }
};

bool has_ended(object_space& space, const identity& id) {
  if (space.object_named(id) != nullptr) return false;
  return !space.knows_routes() || space.places().find(id) == nullptr;
}

void end_wherever_it_is(object_space& space, const identity& id);

// The object has moved on, and its state was sent the same way before.
struct end_of_moved {
  using layout = wire::layout<identity>;
  static void call(const message::delivery& d, const identity& id) {
    check_name(d.from, id);
    end_wherever_it_is(this_space(), id);
  }
};

void end_wherever_it_is(object_space& space, const identity& id) {
  if (object_base* const o = space.object_named(id)) return space.end_early(*o);
  if (!space.knows_routes()) return;
  const route* const moved = space.places().find(id);
  if (moved != nullptr && moved->next != no_pe) remote::send<end_of_moved>(moved->next, id);
}

// Objects that an arena has held for long are not in the cache, and neither are their slots.
constexpr std::size_t far_ahead = 16, near_ahead = 8;
void fetch_slot(const object_space& space, const identity& id) {
  __builtin_prefetch(space.names.slot_address(id.creator(), id.number()), 1);
}
void fetch_object(const object_space& space, const identity& id) {
  const name_table::slot* const s = space.names.slot_address(id.creator(), id.number());
  if (s != nullptr && s->has_object()) __builtin_prefetch(s->object, 1);
}

}  // namespace

void arenas::tell_opener(remote::epoch_part& in) {
  const task_group_scope inside(&in);
  remote::send<made_in_arena>(in.id().opener, in.id());
}

arenas::record& arenas::record_of(remote::epoch_part& in) {
  if (last_ != nullptr && last_id_ == in.id()) [[likely]]
    return *last_;
  const auto [at, is_new] = of_.try_emplace(in.id());
  last_ = &at->second;
  last_id_ = in.id();
  if (!is_new) return *last_;
  if (in.id().opener != this_space().me()) {
    tell_opener(in);
  } else if (in.within() != nullptr) {
    record_of(*in.within()).branches.push_back({in.id().opener, in.id()});
    last_ = &of_.at(in.id());
    last_id_ = in.id();
  }
  return *last_;
}

void arenas::made(const identity& id, remote::epoch_part& in) {
  record& r = record_of(in);
  r.objects.push_back(id);
  if (r.objects.size() < r.looks_at) return;
  // What an arena holds is the memory of what lives, or did half as many objects ago.
  object_space& space = this_space();
  std::erase_if(r.objects, [&space](const identity& noted) { return has_ended(space, noted); });
  r.looks_at = std::max(r.looks_at, 2 * r.objects.size());
}

std::size_t arenas::noted() const {
  std::size_t all = 0;
  for (const auto& [id, r] : of_) all += r.objects.size();
  return all;
}

void arenas::made_elsewhere(remote::epoch_id in, pe_id by) {
  remote::epoch_part* const root = remote::current_pe->epochs.find(in);
  require(root != nullptr && in.opener == this_space().me(),
          "PE {} has made objects in an arena that PE {} has not opened", by, this_space().me());
  record_of(*root).branches.push_back({by, in});
}

void arenas::end(object_space& space, remote::epoch_id of) {
  const auto found = of_.extract(of);
  if (found.empty()) return;
  last_ = nullptr;
  const record ended = std::move(found.mapped());
  for (const branch& b : ended.branches) {
    if (b.pe == space.me()) {
      end(space, b.of);
    } else {
      remote::send<end_of_arena>(b.pe, b.of);
    }
  }
  const auto& objects = ended.objects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i + far_ahead < objects.size()) fetch_slot(space, objects[i + far_ahead]);
    if (i + near_ahead < objects.size()) fetch_object(space, objects[i + near_ahead]);
    end_wherever_it_is(space, objects[i]);
  }
}

void end_objects_of(remote::epoch_id arena) {
  object_space& space = this_space();
  space.of_arenas().end(space, arena);
}

}  // namespace tsubu::objects
