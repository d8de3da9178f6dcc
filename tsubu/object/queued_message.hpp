// A message that is kept apart from its packet, because its object cannot take it yet: made, executed, sent on, freed.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/base/pool.hpp"
#include "tsubu/object/execute.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu {
template <class T>
class object;
}

namespace tsubu::objects {

// All but sending it on is the same for all methods that take such values.
template <class... V>
struct queued_values {
  using type = message_with<V...>;

  template <class... A>
  [[gnu::noinline]] static mail& make(const method_info& of, const destination& to, A&&... a) {
    this_space().waiting.made(sizeof(type), to.wanted());
    return *new_pooled<type>(of, to, std::forward<A>(a)...);
  }
  static void free(mail& m) {
    this_space().waiting.freed(sizeof(type), m.reply.wanted());
    delete_pooled(static_cast<type*>(&m));
  }
  static void run(object_space& s, object_base& o, mail& m) {
    const destination to = m.reply;
    const auto execute = m.of->execute;
    std::tuple<V...> values(std::move(static_cast<type&>(m).values));
    free(m);
    execute(s, o, to, &values);
  }
};

template <class T, auto M, class Values>
struct queued_message;
template <class T, auto M, class... V>
struct queued_message<T, M, std::tuple<V...>> : queued_values<V...> {
  template <class... A>
  static mail& make(const destination& to, A&&... a) {
    static_assert((std::is_same_v<V, std::remove_cvref_t<A>> && ...));
    return queued_values<V...>::make(method_info_of<T, M>::value, to, std::forward<A>(a)...);
  }
  static void execute_with(object_space& s, object_base& o, const destination& to, void* values) {
    std::apply([&](V&... v) { execute<T, M>(s, o, to, std::move(v)...); }, *static_cast<std::tuple<V...>*>(values));
  }
  // Sends it on, if the class can be moved; see move.hpp.
  static void forward(const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express);
};

template <class T, auto M>
using queued = queued_message<T, M, values_of<M>>;

// No message follows an object of a class that cannot be moved.
[[noreturn, gnu::cold]] void never_forwarded(const identity& id, pe_id to, std::uint32_t stay, mail& m, bool express);

template <class F>
struct class_of_method {
  using type = void;
};
template <class R, class T, class... P, bool N>
struct class_of_method<R (T::*)(P...) noexcept(N)> {
  using type = T;
};
template <class R, class T, class... P, bool N>
struct class_of_method<R (T::*)(P...) const noexcept(N)> {
  using type = T;
};

// The class whose public serialize() a T has; void if there is none, or another way to tell cereal. By specialisation:
// to g++ 12 a requires-expression may name what is private.
template <class T, class = void>
struct class_that_tells {
  using type = void;
};
template <class T>
struct class_that_tells<T, std::void_t<decltype(&T::template serialize<wire::writer>)>>
    : class_of_method<decltype(&T::template serialize<wire::writer>)> {};

template <class Root>
Root* root_of(const object<Root>*);  // never called

// Whether cereal is told of all members of a T: by its own public serialize(), since one of a base class that is a
// class of objects, too, knows nothing of them; another way to tell, which cannot be told from an inherited one, only
// where there is no such base.
template <class T>
consteval bool tells_own_state() {
  using told = typename class_that_tells<T>::type;
  if constexpr (!std::is_void_v<told>) {
    return std::is_same_v<told, T> || !std::derived_from<told, object_base>;
  } else if constexpr (requires { root_of(static_cast<T*>(nullptr)); }) {
    return std::is_same_v<decltype(root_of(static_cast<T*>(nullptr))), T*>;
  } else {
    return true;
  }
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
