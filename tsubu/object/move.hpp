// Objects away from home, and messages on their way to them.
//
// An object that moves leaves its name behind: the PE it leaves sends its state, then its queue, to the new place, and
// from then on passes its messages on. So they stay in order. Whoever's message was passed on is told the new place;
// but messages sent there at once could overtake those on the old way. So it sends a *marker* the old way, keeps
// messages back until the marker has arrived where the object lives, and then uses the new way. An object that comes
// back to a PE that had sent messages after it has them return first: that PE, too, sends a marker, and keeps back what
// is not on its way to this stay of the object; the object does not leave again before. So the stays are numbered, and
// what is sent after an object tells which it is meant for. Along the way of a marker these numbers rise, and a marker
// is only kept back by one that is further on: so none waits for ever.
#pragma once

#include "tsubu/object/execute.hpp"

namespace tsubu::objects {

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
  // The same, but null if the object is at home, where only the number of its stay is kept.
  route* away(const identity& id) {
    route* const r = find(id);
    return r != nullptr && (r->local != nullptr || r->next != no_pe) ? r : nullptr;
  }
  route& operator[](const identity& id) { return by_name_[id]; }
  // Nothing is known of it any more; what was kept is too late.
  void forget(const identity& id);
  void take_in(const identity& id, object_base& o, std::uint32_t stay);

  // A message for a moved object, which `from` sent to that stay of it; no_pe: it was sent here. To it, or onward.
  void send(const identity& id, pe_id from, std::uint32_t stay, mail& m, bool express);

  // The same, for one that has waited here.
  void send_again(const identity& id, mail& m, bool express);

  // ---- by the handlers
  void moved(pe_id from, const identity& id, pe_id to, std::uint32_t stay);
  void marker(std::uint32_t stay, const identity& id, pe_id of);
  void arrived(const identity& id, pe_id place, std::uint32_t stay);

 private:
  void keep(route& r, mail& m, bool express);
  void deliver_here(object_base& o, mail& m, bool express);

  object_space& space_;
  std::unordered_map<identity, route, identity_hash> by_name_;
};

void tell_home_of_end(const identity& id);

// Leaves for `to`; tells `done`, if that is wanted, when it has arrived. The object is dormant.
void move_away(object_space& s, object_base& o, pe_id to, remote::reply_address done);

// End the job: such names, such an arrival, no correct PE sends.
void check_name(pe_id from, const identity& id);
void check_arrival(pe_id from, const identity& id, std::uint32_t type);

// An object that comes to live here.
template <class T>
struct arriving_object {
  using layout = wire::layout<identity, std::uint32_t, remote::reply_address, bool, std::vector<std::byte>>;
  static void call(const message::delivery& d, const identity& id, std::uint32_t stay, remote::reply_address done,
                   bool roams, const std::vector<std::byte>& state) {
    object_space& s = here();
    check_arrival(d.from, id, type_number<T>);
    s.expect_arrival({id, type_number<T>});
    T* o = new_pooled<T>();
    wire::reader in(state.data(), state.data() + state.size());
    in(*o);
    if (roams) o->tsubu_header.set(object_base::header::may_roam);
    s.places().take_in(id, *o, stay);
    s.method_ended(*o);
    if (done.pe != no_pe) destination(done).template value<pe_id>(s.me());
  }
};

// The packet of a message to an object that has moved.
template <class T, auto M, class Values>
struct routed;
template <class T, auto M, class... V>
struct routed<T, M, std::tuple<V...>> {
  using layout = wire::layout<identity, std::uint32_t, remote::reply_address, bool, travelling_type<V>...>;
  template <class... W>
  static void call(const message::delivery& d, identity id, std::uint32_t stay, remote::reply_address to, bool express,
                   W... w) {
    check_name(d.from, id);
    const destination reply = to.pe == no_pe ? destination() : destination(to);
    mail& m = queued<T, M>::make(reply, travelling<V>::in(w)...);
    here().places().send(id, d.from, stay, m, express);
  }
};

template <class T, auto M, class... V>
void queued_message<T, M, std::tuple<V...>>::forward(object_space&, const identity& id, pe_id to, std::uint32_t stay,
                                                     mail& m, bool express) {
  const in_group_of guard(m);
  remote::reply_address reply{no_pe, 0, 0};
  if (m.reply.wanted()) reply = m.reply.template address<result_of<M>>(method_info_of<T, M>::value.entry, to);
  std::apply(
      [&](V&... v) {
        remote::send<routed<T, M, std::tuple<V...>>>(to, id, stay, reply, express, travelling<V>::out(v)...);
      },
      static_cast<type&>(m).values);
  free(m);
}

}  // namespace tsubu::objects
