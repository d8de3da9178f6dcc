// How a message is sent to an object: delivered at once if the object is here, or as a packet to its home.
//
// Most objects are asked, or told something, as soon as they are created. If the object's constructor needs no
// arguments, its creation is deferred until it is known what follows (deferred_creations.hpp), and goes in one packet
// with the first message; if that is another message, both go apart.
#pragma once

#include <type_traits>
#include <utility>

#include "tsubu/object/answer.hpp"
#include "tsubu/object/construct.hpp"
#include "tsubu/object/deferred_creations.hpp"
#include "tsubu/object/deliver.hpp"
#include "tsubu/object/send.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::objects {

// ---- with the creation of its object

template <class T>
void make_by_message(object_space& s, const identity& id, const wire::handler_entry& as) {
  construction::make<T, false>(s, id, type_number<T>, as);
}

// The message that the handler Alone executes, whose short name is of an object that the sender has numbered. Nothing
// has been computed ahead for an object that was not there.
template <class T, class Alone>
struct with_creation {
  using layout = typename Alone::layout;
  static constexpr message_kind kind = message_kind::create;
  static constexpr std::size_t words = Alone::words;
  static constexpr bool seldom = true;  // which costs little beside a creation
  static std::size_t execute_one_by_one(const wire::run& r) {
    return Alone::one_by_one::execute(r, one_packet_of<with_creation, Alone, &make_by_message<T>>);
  }
};

template <class T, class Alone>
consteval bool may_be_first() {
  // What is created might be of a derived class.
  return !names_derived<T> && std::is_default_constructible_v<T> && message::goes_straight<Alone>;
}

// Sends the message to Alone, and with it the creation of its object if that is deferred. `values` travel as they are.
template <class T, class Alone, class... V>
[[gnu::always_inline]] inline void send_first_or_alone(object_space& s, const identity& id, const V&... values) {
  const std::uint32_t name = short_name::of(id, s.me());
  if constexpr (may_be_first<T, Alone>()) {
    if (s.creations().take(id)) return message::send_straight<with_creation<T, Alone>>(id.home, name, values...);
  }
  remote::send<Alone>(id.home, name, values...);
}

// ---- alone

// Delivers the message if its object's home is here, or if the object is known to have moved; else false.
template <class T, auto M, class... A>
[[gnu::always_inline]] inline bool deliver_here(object_space& s, const identity& id, const destination& to,
                                                bool express, A&&... a) {
  if (id.home == s.me()) [[likely]] {
    deliver<T, M>(s, id, no_pe, to, express, std::forward<A>(a)...);
    return true;
  }
  if (s.knows_routes() && s.has_moved(id)) [[unlikely]] {
    s.send_after(id, queued<T, M>::make(to, std::forward<A>(a)...), express);
    return true;
  }
  if constexpr (may_move<T>) s.sends_home(id.home);
  return false;
}

template <class T, auto M, bool express, class... A>
[[gnu::always_inline]] inline void send_past_packet(object_space& s, const identity& id, A&&... a) {
  if (s.packet_names.use_short(short_name::fits(id, s.me()))) [[likely]] {
    send_first_or_alone<T, past_method<T, M, express, short_name>>(
        s, id, travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
  } else {
    remote::send<past_method<T, M, express>>(id.home, id.word(),
                                             travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
  }
}

template <class T, auto M, class... A>
[[gnu::always_inline]] inline void send_ask_packet(object_space& s, const identity& id, destination to, A&&... a) {
  const bool short_one = s.packet_names.use_short(short_name::fits(id, s.me()));
  const wire::handler_entry& entry = message::registered<ask_method<T, M>>::entry;
  const remote::reply_address reply = to.template address<result_of<M>>(&entry, id.home);
  if (short_one && reply.pe == s.me()) [[likely]] {
    send_first_or_alone<T, ask_method<T, M, short_name>>(
        s, id, reply.slot, reply.generation, travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
  } else {
    remote::send<ask_method<T, M>>(id.home, id.word(), reply,
                                   travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
  }
}

// These three differ in what they instantiate: a program that only sends past messages to a method has no handlers for
// questions to it.

template <class T, auto M, bool express, class... A>
[[gnu::always_inline]] inline void send_past(const identity& id, A&&... a) {
  object_space& s = this_space();
  if (!deliver_here<T, M>(s, id, destination(), express, std::forward<A>(a)...))
    send_past_packet<T, M, express>(s, id, std::forward<A>(a)...);
}

template <class T, auto M, class... A>
[[gnu::always_inline]] inline void send_question(const identity& id, destination to, A&&... a) {
  object_space& s = this_space();
  if (!deliver_here<T, M>(s, id, to, false, std::forward<A>(a)...))
    send_ask_packet<T, M>(s, id, to, std::forward<A>(a)...);
}

template <class T, auto M, class... A>
[[gnu::always_inline]] inline void send_delegated(const identity& id, destination to, A&&... a) {
  object_space& s = this_space();
  if (deliver_here<T, M>(s, id, to, false, std::forward<A>(a)...)) return;
  if (to.wanted()) {
    send_ask_packet<T, M>(s, id, to, std::forward<A>(a)...);
  } else {
    send_past_packet<T, M, false>(s, id, std::forward<A>(a)...);
  }
}

}  // namespace tsubu::objects
