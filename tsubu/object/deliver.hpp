// A message for an object, by its name: to the object if that lives here; or as a packet to its home, and what happens
// there.
#pragma once

#include "tsubu/object/move.hpp"

namespace tsubu::objects {

// There is no such object here.
template <class T, auto M, class... A>
[[gnu::noinline, gnu::cold]] void miss(object_space& s, const identity& id, pe_id from, const destination& to,
                                       bool express, A&&... a) {
  switch (s.why_not(id, type_number<T>)) {
    case object_space::absence::gone:
      if (to.wanted()) {
        to.gone(s.gone_text(method_info_of<T, M>::value, id));
      } else {
        s.count_gone(method_info_of<T, M>::value, id);
      }
      return;
    case object_space::absence::unborn:
      return s.wait(s.unborn(id), queued<T, M>::make(to, std::forward<A>(a)...), express);
    case object_space::absence::away:
      return s.places().send(id, from, 0, queued<T, M>::make(to, std::forward<A>(a)...), express);
  }
}

// For an object whose home is here.
template <class T, auto M, class... A>
[[gnu::always_inline]] inline void deliver(object_space& s, const identity& id, pe_id from, const destination& to,
                                           bool express, A&&... a) {
  object_base* o = s.find(id, type_number<T>);
  if (o == nullptr) [[unlikely]]
    return miss<T, M>(s, id, from, to, express, std::forward<A>(a)...);
  if (o->tsubu_header.dormant() && object_space::may_run_on_this_stack()) [[likely]]
    return execute<T, M>(s, *o, to, std::forward<A>(a)...);
  wait<T, M>(s, *o, to, express, std::forward<A>(a)...);
}

// ---- travelling

[[noreturn, gnu::cold]] void no_such_creator(pe_id from, pe_id creator);

// With the name of the object in front, but its home, which is where the packet goes.
template <class T, auto M, class Name, class Values, class... Before>
struct carries;
template <class T, auto M, class Name, class... V, class... Before>
struct carries<T, M, Name, std::tuple<V...>, Before...> {
  using name_word = typename Name::word;
  using layout = wire::layout<name_word, Before..., travelling_type<V>...>;
  static constexpr bool asks = sizeof...(Before) != 0;
  static constexpr message_kind kind = asks ? message_kind::request : message_kind::past;
  // Who asks is two: the object that waits, and its place for the reply (the ABCL/EM-4 paper's count).
  static constexpr std::size_t words = sizeof...(V) + (asks ? 2 : 0);

  // Its object is fetched while messages before it are executed.
  static constexpr int stages = 2;
  static constexpr bool address_by_sender = true;
  template <class... W>
  static const void* address(int stage, const message::delivery& d, name_word name, const W&...) {
    const object_space& s = here();
    const identity id = Name::read(name, s.me(), d.from);
    const void* slot = s.slot_address(id.creator(), id.number());
    return stage == 0 || slot == nullptr ? slot : s.object_at(id.creator(), id.number());
  }

  [[gnu::always_inline]] static identity read(object_space& s, const message::delivery& d, name_word name) {
    const identity id = Name::read(name, s.me(), d.from);
    if (std::is_same_v<Name, full_name> && id.creator() >= s.pes()) [[unlikely]]
      no_such_creator(d.from, id.creator());
    return id;
  }
};

template <class T, auto M, bool express, class Name = full_name>
struct past_method : carries<T, M, Name, values_of<M>> {
  template <class... W>
  static void call(const message::delivery& d, typename Name::word name, W... w) {
    object_space& s = here();
    call_with(s, past_method::read(s, d, name), d.from, static_cast<values_of<M>*>(nullptr), std::move(w)...);
  }

 private:
  template <class... V, class... W>
  [[gnu::always_inline]] static void call_with(object_space& s, const identity& id, pe_id from, std::tuple<V...>*,
                                               W... w) {
    deliver<T, M>(s, id, from, destination(), express, travelling<V>::in(w)...);
  }
};

// The reply goes to whom the packet names; with a short name, to a slot of the sender.
template <class T, auto M, class Name = full_name>
struct ask_method;
template <class T, auto M>
struct ask_method<T, M, full_name> : carries<T, M, full_name, values_of<M>, remote::reply_address> {
  template <class... W>
  static void call(const message::delivery& d, std::uint64_t name, remote::reply_address to, W... w) {
    object_space& s = here();
    answer(s, ask_method::read(s, d, name), d.from, to, static_cast<values_of<M>*>(nullptr), std::move(w)...);
  }

  template <class... V, class... W>
  [[gnu::always_inline]] static void answer(object_space& s, const identity& id, pe_id from, remote::reply_address to,
                                            std::tuple<V...>*, W... w) {
    if constexpr (shape<M>::how == way::awaited) {
      if (s.crowded()) [[unlikely]] {
        object_base* const o = s.find(id, type_number<T>);
        if (o != nullptr && o->tsubu_header.dormant())
          return s.run_later(*o, queued<T, M>::make(destination(to), travelling<V>::in(w)...));
      }
    }
    deliver<T, M>(s, id, from, destination(to), false, travelling<V>::in(w)...);
  }
};
template <class T, auto M>
struct ask_method<T, M, short_name> : carries<T, M, short_name, values_of<M>, std::uint32_t, std::uint32_t> {
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t name, std::uint32_t slot, std::uint32_t generation,
                   W... w) {
    object_space& s = here();
    ask_method<T, M>::answer(s, ask_method::read(s, d, name), d.from, {d.from, slot, generation},
                             static_cast<values_of<M>*>(nullptr), std::move(w)...);
  }
};

template <class T, auto M>
const method_info method_info_of<T, M>::value{&message::registered<past_method<T, M, false>>::entry,
                                              &queued<T, M>::run,
                                              &queued<T, M>::forward,
                                              &queued<T, M>::free,
                                              sizeof(typename queued<T, M>::type),
                                              &type_number<T>,
                                              may_reenter<T, M>};

// From here to an object that has moved.
template <class T, auto M, class... A>
[[gnu::noinline, gnu::cold]] void send_after(object_space& s, const identity& id, const destination& to, bool express,
                                             A&&... a) {
  s.places().send(id, no_pe, 0, queued<T, M>::make(to, std::forward<A>(a)...), express);
}

// From here to the object that `id` names, wherever that is; its answer goes to `to`. An express message has none.
template <class T, auto M, bool express, class... A>
[[gnu::always_inline]] inline void send_message(const identity& id, destination to, A&&... a) {
  object_space& s = here();
  if (id.home == s.me()) [[likely]]
    return deliver<T, M>(s, id, no_pe, to, express, std::forward<A>(a)...);
  if (s.knows_routes() && s.places().find(id) != nullptr) [[unlikely]]
    return send_after<T, M>(s, id, to, express, std::forward<A>(a)...);
  const bool short_one = s.fits_short(id);
  if (!to.wanted()) {
    if (short_one) [[likely]] {
      remote::send<past_method<T, M, express, short_name>>(
          id.home, short_name::of(id, s.me()), travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
    } else {
      remote::send<past_method<T, M, express>>(id.home, id.word(),
                                               travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
    }
    return;
  }
  const wire::handler_entry& entry = message::registered<ask_method<T, M>>::entry;
  const remote::reply_address reply = to.template address<result_of<M>>(&entry, id.home);
  if (short_one && reply.pe == s.me()) [[likely]] {
    remote::send<ask_method<T, M, short_name>>(id.home, short_name::of(id, s.me()), reply.slot, reply.generation,
                                               travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
  } else {
    remote::send<ask_method<T, M>>(id.home, id.word(), reply,
                                   travelling<std::remove_cvref_t<A>>::out(std::forward<A>(a))...);
  }
}

}  // namespace tsubu::objects
