// A message that is kept apart from its packet, because its object cannot take it yet: made, executed, sent on, freed.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/object/execute.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu::objects {

template <class T, auto M, class Values>
struct queued_message;
template <class T, auto M, class... V>
struct queued_message<T, M, std::tuple<V...>> {
  using type = message_with<V...>;

  template <class... A>
  static mail& make(const destination& to, A&&... a) {
    this_space().waiting.made(sizeof(type), to.wanted());
    return *new_pooled<type>(method_info_of<T, M>::value, to, std::forward<A>(a)...);
  }
  static void free(mail& m) {
    this_space().waiting.freed(sizeof(type), m.reply.wanted());
    delete_pooled(static_cast<type*>(&m));
  }
  static void run(object_space& s, object_base& o, mail& m) {
    const destination to = m.reply;
    std::tuple<V...> values(std::move(static_cast<type&>(m).values));
    free(m);
    std::apply([&](V&... v) { execute<T, M>(s, o, to, std::move(v)...); }, values);
  }
  // Sends it on, if the class can be moved; see move.hpp.
  static void forward(const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express);
};

template <class T, auto M>
using queued = queued_message<T, M, values_of<M>>;

// No message follows an object of a class that cannot be moved.
[[noreturn, gnu::cold]] void never_forwarded(const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express);

template <class F>
struct class_of_method;
template <class R, class T, class... P>
struct class_of_method<R (T::*)(P...)> {
  using type = T;
};
template <class R, class T, class... P>
struct class_of_method<R (T::*)(P...) const> {
  using type = T;
};

// Whether serialize() tells of all members: not if it is that of a base class that is a class of objects, too.
template <class T>
consteval bool tells_own_state() {
  if constexpr (requires { &T::template serialize<wire::writer>; }) {
    using told = typename class_of_method<decltype(&T::template serialize<wire::writer>)>::type;
    return std::is_same_v<told, T> || !std::derived_from<told, object_base>;
  }
  return true;
}

template <class T>
concept movable = std::is_default_constructible_v<T> && wire::serializable<T> && tells_own_state<T>();

// An object that a ref<T> names may move.
template <class T>
concept may_move = names_derived<T> || movable<T>;

template <class T, auto M>
constexpr auto forwarding_of() -> decltype(method_info::forward) {
  if constexpr (may_move<T>) {
    return &queued<T, M>::forward;
  } else {
    return &never_forwarded;
  }
}

}  // namespace tsubu::objects
