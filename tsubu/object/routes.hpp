// Objects away from home, and the ways on which messages follow them.
//
// An object that moves leaves its name behind: the PE it leaves sends its state, then its queue, to the new place, and
// from then on passes its messages on. So they stay in order. Whoever's message was passed on is told the new place;
// but messages sent there at once could overtake those on the old way. So it sends a *marker* the old way, keeps
// messages back until the marker has arrived where the object lives, and then uses the new way. An object that comes
// back to a PE that had sent messages after it has them return first: that PE, too, sends a marker, and defers what
// is not on its way to this stay of the object; the object does not leave again before. (It sends none if it can have
// sent nothing after the object: it had never heard of it, and has sent nothing to any object at its home.) So the
// stays are numbered, and what is sent after an object tells which it is meant for. Along the way of a marker these
// numbers rise, and a marker is only deferred by one that is further on: so none waits for ever.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "tsubu/object/object_base.hpp"

namespace tsubu::objects {

class object_space;

// What a PE knows of an object that has moved.
struct route {
  object_base* local = nullptr;  // it lives here
  pe_id next = no_pe;            // or there, as far as is known
  std::uint32_t stay = 0;        // the number of its stay there
  bool marked = false;           // a marker is under way
  struct item {
    mail* m;          // or null:
    pe_id marker_of;  // a marker
    bool express;
  };
  std::vector<item> kept;   // until it has arrived
  std::vector<pe_id> told;  // who knows `next`
};

// An object that has come from elsewhere: nothing in it tells its name.
struct guest {
  identity id;
  std::uint32_t type = 0;
};

class routes {
 public:
  explicit routes(object_space& space) : space_(space) {}

  route* find(const identity& id) {
    const auto at = by_name_.find(id);
    return at == by_name_.end() ? nullptr : &at->second;
  }
  bool is_marked(const identity& id) {
    const route* const r = find(id);
    return r != nullptr && r->marked;
  }

  // ---- messages

  // A message for a moved object, which `from` sent to that stay of it; no_pe: it was sent here. To it, or onward.
  void send(const identity& id, pe_id from, std::uint32_t stay, mail& m, bool express);

  // Calls f(id) for each object for which messages wait here until it is known where it lives.
  template <class F>
  void for_each_kept(F f) const {
    for (const auto& [id, r] : by_name_) {
      if (std::any_of(r.kept.begin(), r.kept.end(), [](const route::item& i) { return i.m != nullptr; })) f(id);
    }
  }

  // ---- an object leaves

  // It does after the method that runs now; `done` is told when it has arrived. If it was to leave already, for
  // another PE, then so is who has asked for that.
  void leave_for(object_base& o, pe_id to, remote::reply_address done);
  // That method has ended. While a marker is under way to it, it stays busy instead.
  void depart(object_base& o);
  // It has thought better of it: this PE is where it has moved to.
  void stay(object_base& o);
  // It has ended before.
  void cancel_departure(object_base& o);
  // It leaves now, and is dormant; `done` is told if that is wanted.
  void move_away(object_base& o, pe_id to, remote::reply_address done);

  // ---- an object comes

  // The next object that is constructed does.
  void expect_arrival(const guest& g) { arriving_ = g; }
  void begin_guest(object_base& o);
  void take_in(const identity& id, object_base& o, std::uint32_t stay);
  const guest& guest_at(const object_base& o) const { return guests_.at(&o); }
  void guest_ended(object_base& o, const identity& id);
  void destroy_guests();
  template <class F>
  void for_each_guest(F f) const {
    for (const auto& [o, g] : guests_) f(*const_cast<object_base*>(o), g.type);
  }

  // ---- by the handlers

  void moved(pe_id from, const identity& id, pe_id to, std::uint32_t stay);
  void marker(std::uint32_t stay, const identity& id, pe_id of);
  void arrived(const identity& id, pe_id place, std::uint32_t stay);
  void ended(const identity& id);

 private:
  struct departure {
    pe_id to;
    remote::reply_address done;
  };

  // As send(), for a message that has waited here.
  void send_again(const identity& id, mail& m, bool express);
  // As find(), but null if the object is at home, where only the number of its stay is kept.
  route* away(const identity& id) {
    route* const r = find(id);
    return r != nullptr && (r->local != nullptr || r->next != no_pe) ? r : nullptr;
  }
  // Nothing is known of it any more; what was kept is too late.
  void forget(const identity& id);
  void send_on(const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express);
  void keep(route& r, mail& m, bool express);
  void deliver_here(object_base& o, mail& m, bool express);
  bool remove_guest(object_base& o);

  object_space& space_;
  std::unordered_map<identity, route, identity_hash> by_name_;
  // An object has the bit `guest` exactly while it is here: it has come from elsewhere, and has not become at home.
  std::unordered_map<const object_base*, guest> guests_;
  // An object has the bit `leaving` exactly while it is here.
  std::unordered_map<const object_base*, departure> departures_;
  guest arriving_;  // of no home, but between expect_arrival() and the constructor
};

}  // namespace tsubu::objects
