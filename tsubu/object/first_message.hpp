// A new object and the first message to it, in one packet: as most objects are asked, or told something, at once.
//
// The object's constructor needs no arguments. Its creation is kept back until it is known what follows
// (kept_creations.hpp); if that is another message, both go apart.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/object/construct.hpp"
#include "tsubu/object/deliver.hpp"
#include "tsubu/remote/send.hpp"

namespace tsubu::objects {

// The name is short, and of one that the sender has numbered.
template <class T, auto M, bool asks, class Values = values_of<M>>
struct create_and_send;
template <class T, auto M, class... V>
struct create_and_send<T, M, true, std::tuple<V...>> {
  using layout = wire::layout<std::uint32_t, std::uint32_t, std::uint32_t, travelling_type<V>...>;
  static constexpr message_kind kind = message_kind::create;
  static constexpr std::size_t words = sizeof...(V) + 2;
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t name, std::uint32_t slot, std::uint32_t generation,
                   W... w) {
    object_space& s = this_space();
    const identity id = short_name::read(name | short_name::by_sender, s.me(), d.from);
    construction::make<T, false>(s, id, type_number<T>, message::registered<create_and_send>::entry);
    ask_method<T, M>::answer(s, id, d.from, {d.from, slot, generation}, static_cast<values_of<M>*>(nullptr),
                             std::move(w)...);
  }
};
template <class T, auto M, class... V>
struct create_and_send<T, M, false, std::tuple<V...>> {
  using layout = wire::layout<std::uint32_t, travelling_type<V>...>;
  static constexpr message_kind kind = message_kind::create;
  static constexpr std::size_t words = sizeof...(V);
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t name, W... w) {
    object_space& s = this_space();
    const identity id = short_name::read(name | short_name::by_sender, s.me(), d.from);
    construction::make<T, false>(s, id, type_number<T>, message::registered<create_and_send>::entry);
    deliver<T, M>(s, id, d.from, destination(), false, travelling<V>::in(w)...);
  }
};

template <class T, auto M, bool asks>
consteval bool may_be_first() {
  if constexpr (std::is_default_constructible_v<T>) return message::goes_straight<create_and_send<T, M, asks>>;
  return false;
}

// Whether the message takes the creation of its object along: it was kept back, and is now the caller's to send.
template <class T, auto M, bool asks>
[[gnu::always_inline]] inline bool takes_creation(object_space& s, const identity& id) {
  return may_be_first<T, M, asks>() && s.creations.take(id);
}

// Such a message. `values` are what travels.
template <class T, auto M, bool asks, class... V>
[[gnu::always_inline]] inline void send_with_creation(object_space& s, const identity& id, const V&... values) {
  if constexpr (may_be_first<T, M, asks>())
    message::send_straight<create_and_send<T, M, asks>>(id.home, short_name::of(id, s.me()), values...);
}

}  // namespace tsubu::objects
