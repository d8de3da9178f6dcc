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

template <class T>
concept movable = std::is_default_constructible_v<T> && wire::serializable<T>;

template <class T, auto M>
constexpr auto forwarding_of() -> decltype(method_info::forward) {
  if constexpr (movable<T>) {
    return &queued<T, M>::forward;
  } else {
    return &never_forwarded;
  }
}

}  // namespace tsubu::objects
