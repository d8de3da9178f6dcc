// What travels when an object moves: its state, and the messages that follow it. How they keep their order is told in
// routes.hpp.
//
// Only classes that can be moved have any of this: one that cannot instantiates no more than ordinary delivery does.
#pragma once

#include <vector>

#include "tsubu/object/packets.hpp"

namespace tsubu::objects {

// After the method that runs now the object moves to that PE, with which `done` is answered when it is there; or with
// an error, if its class cannot be moved.
void leave_for(object_base& o, pe_id to, reply_to<pe_id> done);

// The same, and nobody is answered; throws std::logic_error if its class cannot be moved.
void leave_after_method(object_base& o, pe_id to);

// Between these two an object is constructed, and gets the state it had elsewhere.
void begin_arrival(pe_id from, const identity& id, std::uint32_t type);
void end_arrival(pe_id from, object_base& o, const identity& id, std::uint32_t stay, bool roams,
                 remote::reply_address done);

// Those who watch the object travel behind its state.
void send_watchers(object_base& o, std::vector<std::byte>& state);
void take_in_watchers(object_base& o, wire::reader& state);

// A message that `from` sent after an object, for that stay of it: to it, or onward.
void send_on(pe_id from, const identity& id, std::uint32_t stay, mail& m, bool express);

// An object that comes to live here.
template <class T>
struct arriving_object {
  using layout = wire::layout<identity, std::uint32_t, remote::reply_address, std::uint16_t, std::vector<std::byte>>;
  static void call(const message::delivery& d, const identity& id, std::uint32_t stay, remote::reply_address done,
                   std::uint16_t flags, const std::vector<std::byte>& state) {
    check_asker(done.pe);
    begin_arrival(d.from, id, type_number<T>);
    T* o = new_pooled<T>();
    wire::reader in(state.data(), state.data() + state.size());
    in(*o);
    if ((flags & object_base::header::watched) != 0) take_in_watchers(*o, in);
    end_arrival(d.from, *o, id, stay, (flags & object_base::header::may_roam) != 0, done);
  }
};

// Sends its state, to a PE where it lives then.
template <class T>
void send_state(object_base& o, const identity& id, pe_id to, std::uint32_t stay, remote::reply_address done) {
  std::vector<std::byte> state;
  wire::writer out(state);
  out(static_cast<T&>(o));
  const std::uint16_t flags = o.tsubu_header.state;
  if ((flags & object_base::header::watched) != 0) send_watchers(o, state);
  remote::send<arriving_object<T>>(to, id, stay, done, flags, state);
}

// The packet of a message to an object that has moved.
template <class T, auto M, class Values>
struct routed;
template <class T, auto M, class... V>
struct routed<T, M, std::tuple<V...>> {
  using layout = wire::layout<identity, std::uint32_t, remote::reply_address, bool, travelling_type<V>...>;
  static constexpr bool seldom = true;
  template <class... W>
  static void call(const message::delivery& d, identity id, std::uint32_t stay, remote::reply_address to, bool express,
                   W... w) {
    check_asker(to.pe);
    const destination reply = to.pe == no_pe ? destination() : destination(to);
    send_on(d.from, id, stay, queued<T, M>::make(reply, travelling<V>::in(w)...), express);
  }
};

template <class T, auto M, class... V>
void queued_message<T, M, std::tuple<V...>>::forward(const identity& id, pe_id to, std::uint32_t stay, mail& m,
                                                     bool express) {
  const in_group_of guard(m);
  remote::reply_address reply{no_pe, 0, 0};
  if (m.reply.wanted()) reply = m.reply.template address<result_of<M>>(method_info_of<T, M>::value.entry, to);
  std::apply(
      [&](V&... v) {
        remote::send<routed<T, M, std::tuple<V...>>>(to, id, stay, reply, express, travelling<V>::out(v)...);
      },
      static_cast<message_with<V...>&>(m).values);
  queued_values<V...>::free(m);
}

}  // namespace tsubu::objects
