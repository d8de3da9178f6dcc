// Packets of messages to objects that are executed one by one: that name their object in full, create it, or came over
// other PEs.
//
// They are few, or dear. So what is done with them is compiled once for all methods that take such values, and told by
// a table what is different (method_info). For many packets at a time, deliver.hpp has the method in a loop.
#pragma once

#include <tuple>
#include <utility>

#include "tsubu/message/handler.hpp"
#include "tsubu/object/queued_message.hpp"
#include "tsubu/wire/packet.hpp"

namespace tsubu::objects {

// Makes the object of that name. `as` is named if its constructor throws.
using make_function = void (*)(object_space& s, const identity& id, const wire::handler_entry& as);

// What is the same for all packets of such a handler.
struct one_packet {
  const wire::handler_entry& handler;
  const method_info& method;
  make_function make;  // null: the object is there already
  bool express;
};
template <class H, class Message, make_function make = nullptr>
inline constexpr one_packet one_packet_of{message::registered<H>::entry, Message::method, make, Message::expresses};

template <class Name>
[[gnu::always_inline]] inline identity read_name(object_space& s, pe_id from, typename Name::word name) {
  const identity id = Name::read(name, s.me(), from);
  if (std::is_same_v<Name, full_name> && id.creator() >= s.pes()) [[unlikely]]
    no_such_creator(from, id.creator());
  return id;
}

// Where the answer goes: to whom the packet names; with a short name, to a slot of the sender.
inline destination read_asker(object_space& s, pe_id, remote::reply_address to) {
  if (static_cast<std::uint32_t>(to.pe) >= static_cast<std::uint32_t>(s.pes())) [[unlikely]]
    check_asker(to.pe);
  return destination(to);
}
inline destination read_asker(object_space&, pe_id from, std::uint32_t slot, std::uint32_t generation) {
  return destination(remote::reply_address{from, slot, generation});
}
inline destination read_asker(object_space&, pe_id) { return {}; }

// For an object whose home is here.
template <class... V>
void deliver_one(object_space& s, const identity& id, pe_id from, const destination& to, bool asks, bool express,
                 const method_info& of, V&&... values) {
  object_base* const o = find_object(s, id, of);
  if (o != nullptr && o->tsubu_header.dormant()) {
    if (asks && of.may_be_put_off && s.runs.many_wait()) [[unlikely]]
      return s.runs.put_off(*o, queued_values<V...>::make(of, to, std::move(values)...));
    if (execution::may_run_on_this_stack() &&
        (!asks || !o->tsubu_header.is(object_base::header::may_roam) || s.runs.in_slice(*o))) {
      std::tuple<V...> given(std::move(values)...);
      return of.execute(s, *o, to, &given);
    }
  }
  s.run_later(o, id, from, queued_values<V...>::make(of, to, std::move(values)...), express);
}

// Before the values stand the object's name and who asks, if somebody does.
template <class Name, class Values, class... Asker>
struct packets_one_by_one;
template <class Name, class... V, class... Asker>
struct packets_one_by_one<Name, std::tuple<V...>, Asker...> {
  using layout = wire::layout<typename Name::word, Asker..., travelling_type<V>...>;

  template <class... W>
  static void deliver(const method_info& of, bool express, pe_id from, typename Name::word name, Asker... to, W... w) {
    object_space& s = this_space();
    const destination reply = read_asker(s, from, to...);
    deliver_one<V...>(s, read_name<Name>(s, from, name), from, reply, sizeof...(Asker) != 0, express, of,
                      travelling<V>::in(w)...);
  }
  [[gnu::noinline]] static std::size_t execute(const wire::run& r, const one_packet& all) {
    return message::execute_one_by_one(r, all.handler, const_cast<one_packet*>(&all), &execute_packet);
  }

 private:
  static void execute_packet(void* around, const message::delivery& d, const std::byte* packet) {
    layout::read(packet, [&](typename Name::word name, Asker... to, auto&&... values) {
      const auto& all = *static_cast<const one_packet*>(around);
      if constexpr (std::is_same_v<Name, short_name>) {
        if (all.make != nullptr) {
          name |= short_name::by_sender;  // who has numbered it
          object_space& s = this_space();
          all.make(s, read_name<Name>(s, d.from, name), all.handler);
        }
      }
      deliver(all.method, all.express, d.from, name, to..., std::forward<decltype(values)>(values)...);
    });
  }
};

// A base of a handler H whose packets are executed so. Not where the answer may be there already: who computes it ahead
// is asked for each method.
template <class H, bool shared = true>
struct executed_one_by_one {
  static std::size_t execute_one_by_one(const wire::run& r) { return H::one_by_one::execute(r, one_packet_of<H, H>); }
};
template <class H>
struct executed_one_by_one<H, false> {};

}  // namespace tsubu::objects
