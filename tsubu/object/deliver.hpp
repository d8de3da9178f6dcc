// A message for an object whose home is here: to the object, whether it was sent here or has come as a packet.
//
// How it is sent to another PE stands in send.hpp.
#pragma once

#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "tsubu/message/handler_traits.hpp"
#include "tsubu/object/answers_ahead.hpp"
#include "tsubu/object/queued_message.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::objects {

// ---- here

// The message waits for `o`, which is busy or must not run now; or it has found nobody, if that is null.
template <class T, auto M, class... A>
[[gnu::noinline]] void deliver_later(object_space& s, object_base* o, const identity& id, pe_id from,
                                     const destination& to, bool express, A&&... a) {
  mail& m = queued<T, M>::make(to, std::forward<A>(a)...);
  if (o == nullptr) [[unlikely]]
    return s.missed(id, from, m, express);
  // Not in the queue: it would wait there for a method that begins before it, and may wait for its answer.
  if constexpr (reentrant<M>) return s.runs.run_soon(*o, m);
  s.runs.wait(*o, m, express);
}

// For an object whose home is here.
template <class T, auto M, class... A>
[[gnu::always_inline]] inline void deliver(object_space& s, const identity& id, pe_id from, const destination& to,
                                           bool express, A&&... a) {
  object_base* const o = find_object<T>(s, id);
  if (o != nullptr && o->tsubu_header.dormant() && execution::may_run_on_this_stack() &&
      (!o->tsubu_header.is(object_base::header::may_roam) || s.runs.in_slice(*o))) [[likely]]
    return execute<T, M>(s, *o, to, std::forward<A>(a)...);
  deliver_later<T, M>(s, o, id, from, to, express, std::forward<A>(a)...);
}

// What is the same for all packets of a run.
struct delivering {
  object_space& space = this_space();
  const bool on_the_spot = execution::may_run_on_this_stack();
  static void executed() {}
};

// A past message that has come as a packet. Compiled into a loop over many of them, the method is too.
template <class T, auto M, bool in_loop, class... A>
[[gnu::always_inline]] inline void deliver_past(const delivering& run, const identity& id, pe_id from, bool express,
                                                A&&... a) {
  object_space& s = run.space;
  object_base* const o = find_object<T>(s, id);
  if (o != nullptr && o->tsubu_header.dormant() && run.on_the_spot) [[likely]] {
    if constexpr (in_loop) {
      return execute_past<T, M>(s, *o, std::forward<A>(a)...);
    } else {
      return execute<T, M>(s, *o, destination(), std::forward<A>(a)...);
    }
  }
  deliver_later<T, M>(s, o, id, from, destination(), express, std::forward<A>(a)...);
}

// ---- travelling

// The object of a packet that begins with its name is fetched while messages before it are executed: first its place in
// the table of names, then itself.
template <class Name>
struct looks_up {
  static constexpr int stages = 2;
  static constexpr bool at_any_time = true;  // the table stays, whatever becomes of an object
  static constexpr std::size_t head_bytes = sizeof(typename Name::word);
  static std::uint64_t key(pe_id from, const std::byte* packet) {
    return Name::read(wire::load<typename Name::word>(packet), this_space().me(), from).word();
  }
  static const void* address(int stage, pe_id from, const std::byte* packet) {
    const object_space& s = this_space();
    const identity id = Name::read(wire::load<typename Name::word>(packet), s.me(), from);
    const name_table::slot* const slot = s.names.slot_address(id.creator(), id.number());
    return stage == 0 || slot == nullptr ? static_cast<const void*>(slot) : slot->object;
  }
};

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

  using looks = looks_up<Name>;
  static constexpr std::size_t touched_bytes = sizeof(T);
  // Full names are for objects that a third PE has created, or beyond the first half million of a PE.
  static constexpr bool seldom = std::is_same_v<Name, full_name>;

  [[gnu::always_inline]] static identity read(object_space& s, const message::delivery& d, name_word name) {
    const identity id = Name::read(name, s.me(), d.from);
    if (std::is_same_v<Name, full_name> && id.creator() >= s.pes()) [[unlikely]]
      no_such_creator(d.from, id.creator());
    return id;
  }
};

// How its values are read, whatever names its object.
template <class T, auto M, bool express, class Values>
struct past_values;
template <class T, auto M, bool express, class... V>
struct past_values<T, M, express, std::tuple<V...>> {
  template <class... W>
  [[gnu::always_inline]] static void deliver_in_run(const delivering& run, const identity& id, pe_id from, W... w) {
    deliver_past<T, M, true>(run, id, from, express, travelling<V>::in(w)...);
  }
  // The same for one, by whatever name it came.
  template <class... W>
  [[gnu::noinline]] static void deliver_alone(const delivering& run, const identity& id, pe_id from, W... w) {
    deliver_past<T, M, false>(run, id, from, express, travelling<V>::in(w)...);
  }
};

template <class T, auto M, bool express, class Name = full_name>
struct past_method : carries<T, M, Name, values_of<M>> {
  using around_run = delivering;
  template <class... W>
  [[gnu::always_inline]] static void call_in_run(const delivering& run, const message::delivery& d,
                                                 typename Name::word name, W... w) {
    past_values<T, M, express, values_of<M>>::deliver_in_run(run, past_method::read(run.space, d, name), d.from,
                                                             std::move(w)...);
  }
  template <class... W>
  static void call(const message::delivery& d, typename Name::word name, W... w) {
    const delivering alone;
    past_values<T, M, express, values_of<M>>::deliver_alone(alone, past_method::read(alone.space, d, name), d.from,
                                                            std::move(w)...);
  }
};

// The reply goes to whom the packet names; with a short name, to a slot of the sender.
template <class T, auto M, class Name = full_name>
struct ask_method;
template <class T, auto M>
struct ask_method<T, M, full_name> : carries<T, M, full_name, values_of<M>, remote::reply_address> {
  template <class... W>
  static void call(const message::delivery& d, std::uint64_t name, remote::reply_address to, W... w) {
    if constexpr (pure<M>) {
      if (answers_ahead<T, M, full_name, ask_method>::answered(to, name, w...)) return;
    }
    object_space& s = this_space();
    if (static_cast<std::uint32_t>(to.pe) >= static_cast<std::uint32_t>(s.pes())) [[unlikely]]
      check_asker(to.pe);
    answer(s, ask_method::read(s, d, name), d.from, to, static_cast<values_of<M>*>(nullptr), std::move(w)...);
  }

  template <class... V, class... W>
  [[gnu::always_inline]] static void answer(object_space& s, const identity& id, pe_id from, remote::reply_address to,
                                            std::tuple<V...>*, W... w) {
    if constexpr (shape<M>::how == reply_kind::awaited && !reentrant<M>) {
      if (s.runs.many_wait()) [[unlikely]] {
        object_base* const o = find_object<T>(s, id);
        if (o != nullptr && o->tsubu_header.dormant())
          return s.runs.put_off(*o, queued<T, M>::make(destination(to), travelling<V>::in(w)...));
      }
    }
    deliver<T, M>(s, id, from, destination(to), false, travelling<V>::in(w)...);
  }

  static constexpr bool is_computed_ahead = pure<M>;
  static std::uint64_t ahead_key(pe_id, const std::byte* head) {
    return answers_ahead<T, M, full_name, ask_method>::template key<sizeof(remote::reply_address)>(head);
  }
  static void compute_ahead(pe_id from, const std::byte* head) {
    ask_method::layout::read(head, [from](std::uint64_t name, remote::reply_address, const auto&... w) {
      answers_ahead<T, M, full_name, ask_method>::compute(from, name, w...);
    });
  }
};
template <class T, auto M>
struct ask_method<T, M, short_name> : carries<T, M, short_name, values_of<M>, std::uint32_t, std::uint32_t> {
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t name, std::uint32_t slot, std::uint32_t generation,
                   W... w) {
    if constexpr (pure<M>) {
      if (answers_ahead<T, M, short_name, ask_method>::answered({d.from, slot, generation}, name, w...)) return;
    }
    object_space& s = this_space();
    ask_method<T, M>::answer(s, ask_method::read(s, d, name), d.from, {d.from, slot, generation},
                             static_cast<values_of<M>*>(nullptr), std::move(w)...);
  }

  static constexpr bool is_computed_ahead = pure<M>;
  static std::uint64_t ahead_key(pe_id, const std::byte* head) {
    return answers_ahead<T, M, short_name, ask_method>::template key<2 * sizeof(std::uint32_t)>(head);
  }
  static void compute_ahead(pe_id from, const std::byte* head) {
    ask_method::layout::read(head, [from](std::uint32_t name, std::uint32_t, std::uint32_t, const auto&... w) {
      answers_ahead<T, M, short_name, ask_method>::compute(from, name, w...);
    });
  }
};

// Names the method in reports. It is no handler, so a method that is only asked has none for past messages.
template <class T, auto M>
inline const wire::handler_entry method_entry{typeid(past_method<T, M, false>).name()};

template <class T, auto M>
const method_info method_info_of<T, M>::value{&method_entry<T, M>,
                                              &queued<T, M>::run,
                                              forwarding_of<T, M>(),
                                              &queued<T, M>::free,
                                              sizeof(typename queued<T, M>::type),
                                              &type_number<T>,
                                              &method_identity<M>,
                                              reentrant<M>};

}  // namespace tsubu::objects
