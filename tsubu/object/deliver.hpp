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
#include "tsubu/object/one_packet.hpp"

namespace tsubu::objects {

// ---- here

// The message waits for `o`, which is busy or must not run now; or it has found nobody, if that is null. If a method of
// `o` accepts it, it is executed here.
template <class... V>
[[gnu::noinline]] void run_later(object_space& s, object_base* o, const identity& id, pe_id from, const destination& to,
                                 bool express, const method_info& of, V&&... values) {
  if (o == nullptr || of.reenters || !execution::may_serve_now(*o))
    return s.run_later(o, id, from, queued_values<V...>::make(of, to, std::move(values)...), express);
  message_with<V...> m(of, to, std::move(values)...);
  if (s.runs.begin_to_serve(*o, m)) return of.execute(s, *o, to, &m.values);
  std::apply([&](V&... v) { s.run_later(o, id, from, queued_values<V...>::make(of, to, std::move(v)...), express); },
             m.values);
}
template <class T, auto M, class... V>
[[gnu::always_inline]] inline void deliver_later(object_space& s, object_base* o, const identity& id, pe_id from,
                                                 const destination& to, bool express, V&&... values) {
  static_assert(std::is_same_v<values_of<M>, std::tuple<V...>>);  // so none is a reference to what stays
  run_later<V...>(s, o, id, from, to, express, method_info_of<T, M>::value, std::move(values)...);
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

// A past message that has come as a packet, one of many: the method is compiled into the loop over them.
template <class T, auto M, class... A>
[[gnu::always_inline]] inline void deliver_past(const delivering& run, const identity& id, pe_id from, bool express,
                                                A&&... a) {
  object_space& s = run.space;
  object_base* const o = find_object<T>(s, id);
  if (o != nullptr && o->tsubu_header.dormant() && run.on_the_spot) [[likely]]
    return execute_past<T, M>(s, *o, std::forward<A>(a)...);
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
  using one_by_one = packets_one_by_one<Name, std::tuple<V...>, Before...>;
  using layout = typename one_by_one::layout;
  static constexpr const method_info& method = method_info_of<T, M>::value;
  static constexpr bool asks = sizeof...(Before) != 0;
  static constexpr bool expresses = false;
  static constexpr message_kind kind = asks ? message_kind::request : message_kind::past;
  // Who asks is two: the object that waits, and its place for the reply (the ABCL/EM-4 paper's count).
  static constexpr std::size_t words = sizeof...(V) + (asks ? 2 : 0);

  using looks = looks_up<Name>;
  static constexpr std::size_t touched_bytes = sizeof(T);
  // Full names are for objects that a third PE has created, or beyond the first half million of a PE.
  static constexpr bool seldom = std::is_same_v<Name, full_name>;
};

template <class T, auto M, bool express, class Name = full_name>
struct past_method : carries<T, M, Name, values_of<M>>, executed_one_by_one<past_method<T, M, express, Name>> {
  using around_run = delivering;
  template <class... W>
  [[gnu::always_inline]] static void call_in_run(const delivering& run, const message::delivery& d,
                                                 typename Name::word name, W... w) {
    deliver(static_cast<values_of<M>*>(nullptr), run, read_name<Name>(run.space, d.from, name), d.from,
            std::move(w)...);
  }
  template <class... W>
  static void call(const message::delivery& d, typename Name::word name, W... w) {
    past_method::one_by_one::deliver(past_method::method, express, d.from, name, std::move(w)...);
  }
  static constexpr bool expresses = express;

 private:
  template <class... V, class... W>
  [[gnu::always_inline]] static void deliver(std::tuple<V...>*, const delivering& run, const identity& id, pe_id from,
                                             W... w) {
    deliver_past<T, M>(run, id, from, express, travelling<V>::in(w)...);
  }
};

// The reply goes to whom the packet names; with a short name, to a slot of the sender.
template <class T, auto M, class Name = full_name>
struct ask_method;
template <class T, auto M>
struct ask_method<T, M, full_name> : carries<T, M, full_name, values_of<M>, remote::reply_address>,
                                     executed_one_by_one<ask_method<T, M, full_name>, !pure<M>> {
  template <class... W>
  static void call(const message::delivery& d, std::uint64_t name, remote::reply_address to, W... w) {
    if constexpr (pure<M>) {
      if (answers_ahead<T, M, full_name, ask_method>::answered(to, name, w...)) return;
    }
    ask_method::one_by_one::deliver(ask_method::method, false, d.from, name, to, std::move(w)...);
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
struct ask_method<T, M, short_name> : carries<T, M, short_name, values_of<M>, std::uint32_t, std::uint32_t>,
                                      executed_one_by_one<ask_method<T, M, short_name>, !pure<M>> {
  template <class... W>
  static void call(const message::delivery& d, std::uint32_t name, std::uint32_t slot, std::uint32_t generation,
                   W... w) {
    if constexpr (pure<M>) {
      if (answers_ahead<T, M, short_name, ask_method>::answered({d.from, slot, generation}, name, w...)) return;
    }
    object_space& s = this_space();
    answer(s, read_name<short_name>(s, d.from, name), d.from, read_asker(s, d.from, slot, generation),
           static_cast<values_of<M>*>(nullptr), std::move(w)...);
  }

  template <class... V, class... W>
  [[gnu::always_inline]] static void answer(object_space& s, const identity& id, pe_id from, const destination& to,
                                            std::tuple<V...>*, W... w) {
    if constexpr (may_be_put_off<M>) {
      if (s.runs.many_wait()) [[unlikely]] {
        object_base* const o = find_object<T>(s, id);
        if (o != nullptr && o->tsubu_header.dormant())
          return s.runs.put_off(*o, queued<T, M>::make(to, travelling<V>::in(w)...));
      }
    }
    deliver<T, M>(s, id, from, to, false, travelling<V>::in(w)...);
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
const method_info method_info_of<T, M>::value{.entry = &method_entry<T, M>,
                                              .execute = &queued<T, M>::execute_with,
                                              .run = &queued<T, M>::run,
                                              .forward = forwarding_of<T, M>(),
                                              .free = &queued<T, M>::free,
                                              .bytes = sizeof(typename queued<T, M>::type),
                                              .type = &type_number<T>,
                                              .method = &method_identity<M>,
                                              .names_derived = names_derived<T>,
                                              .reenters = reentrant<M>,
                                              .may_be_put_off = may_be_put_off<M>};

}  // namespace tsubu::objects
