// How an invocation travels: the number of the function, or of the member with its object, and the arguments; then the
// result.
//
// Function pointers mean nothing in another process, so what travels is the number under which both sides know the
// function. The types of the parameters travel as the handler, and are checked against the function's own.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/mpc/functions.hpp"
#include "tsubu/mpc/global_ptr.hpp"
#include "tsubu/mpc/message.hpp"
#include "tsubu/mpc/node.hpp"
#include "tsubu/mpc/sync.hpp"
#include "tsubu/mpc/trace.hpp"
#include "tsubu/remote/messages/reply.hpp"

namespace tsubu::mpc::calls {

using remote::carried;
using remote::reply_address;

inline constexpr reply_address nobody{no_pe, 0, 0};

// ---- results

struct result_control {
  std::uint32_t slot;
  std::uint32_t generation;
};

template <class R>
struct result {
  using control = result_control;
  static void arrived(pe_id from, const control& c, std::span<const std::byte> data) {
    carried<R> value = std::get<0>(unpack<carried<R>>(from, data));
    write(from, c.slot, c.generation, std::move(value));
  }
  static void write(pe_id from, std::uint32_t slot, std::uint32_t generation, carried<R> value) {
    auto* sink = take_reply(from, slot, generation, &remote::reply_type<carried<R>>);
    trace(trace_step::write_sync, myNode, from);
    if (sink != nullptr) static_cast<remote::value_sink<carried<R>>*>(sink)->value(std::move(value));
  }
};

template <class R>
void answer(reply_address to, carried<R> value) {
  if (to.pe == no_pe) return;
  if (to.pe == myNode) return result<R>::write(myNode, to.slot, to.generation, std::move(value));
  post<result<R>>(to.pe, {to.slot, to.generation}, pack<carried<R>>(value));
  trace(trace_step::send_result, myNode, to.pe);
}

// The exception that is being handled.
void answer_exception(reply_address to);

// Runs call() in a thread of its own and sends its result.
template <class R, class F>
void run_in_thread(pe_id from, reply_address to, F call) {
  spawn_fiber(
      [from, to, call = std::move(call)]() mutable {
        trace(trace_step::dispatch, myNode, from);
        try {
          if constexpr (std::is_void_v<R>) {
            call();
            answer<R>(to, remote::done{});
          } else {
            answer<R>(to, call());
          }
        } catch (...) {
          if (to.pe == no_pe) throw;
          answer_exception(to);
        }
      },
      thread_stack_bytes);
}

// ---- functions

template <class R, class... P>
struct function {
  static_assert(!std::is_reference_v<R>, "a function invoked on another node returns a value, not a reference");
  static_assert(
      (wire::sendable<std::decay_t<P>> && ...),
      "a parameter cannot travel: pointers and views (char*, string_view, span) mean nothing on another node; pass "
      "the value itself, a std::string or std::vector, or a GlobalPtr");
  using pointer = R (*)(P...);

  struct control {
    reply_address to;
    function_number number;
  };
  static void arrived(pe_id from, const control& c, std::span<const std::byte> data) {
    trace(trace_step::receive, myNode, from);
    const auto f = reinterpret_cast<pointer>(function_at(c.number, typeid(void(P...)), from));
    start(from, c.to, f, unpack<std::decay_t<P>...>(from, data));
  }
  static void start(pe_id from, reply_address to, pointer f, std::tuple<std::decay_t<P>...> arguments) {
    run_in_thread<R>(from, to, [f, arguments = std::move(arguments)]() mutable {
      return std::apply([f](auto&... a) { return f(static_cast<P>(a)...); }, arguments);
    });
  }
  template <class... A>
  static void send(int node, reply_address to, pointer f, const A&... arguments) {
    static_assert(sizeof...(A) == sizeof...(P), "the number of arguments is not that of the function's parameters");
    check_node(node);
    if (node == myNode)
      return start(node, to, f, std::tuple<std::decay_t<P>...>(static_cast<const std::decay_t<P>&>(arguments)...));
    const control c{to, number_of(reinterpret_cast<any_function>(f), typeid(void(P...)))};
    std::vector<std::byte> data = pack<std::decay_t<P>...>(static_cast<const std::decay_t<P>&>(arguments)...);
    trace(trace_step::store_control, myNode, node);
    post<function>(node, c, std::move(data));
    trace(trace_step::send_control, myNode, node);
  }
  static const wire::handler_entry& entry() { return message::registered<whole_message<function>>::entry; }
};

// ---- members of objects

// A member pointer that names a function (and not a place in a table of virtual functions).
any_function member_address(const void* pointer, std::size_t bytes);

template <class M>
any_function address_of(M member) {
  return member_address(&member, sizeof member);
}
// The member pointer of a non-virtual member function: its address, and no adjustment of `this`.
template <class M>
M member_at(any_function f) {
  const std::array<std::uintptr_t, 2> words{reinterpret_cast<std::uintptr_t>(f), 0};
  static_assert(sizeof(M) == sizeof words, "the Itanium C++ ABI is expected");
  return std::bit_cast<M>(words);
}

// Object: where it lives. M: pointer to a member function of it or of a base class.
template <class Object, class M, class R, class... P>
struct member {
  static_assert(!std::is_reference_v<R>, "a member invoked on another node returns a value, not a reference");
  static_assert((wire::sendable<std::decay_t<P>> && ...), "a parameter cannot travel: pass a value or a GlobalPtr");

  struct control {
    reply_address to;
    function_number number;
    std::uint64_t offset;
    remote::segment_id segment;
    std::uint32_t unused = 0;
  };
  static void arrived(pe_id from, const control& c, std::span<const std::byte> data) {
    trace(trace_step::receive, myNode, from);
    const M m = member_at<M>(function_at(c.number, typeid(void(P...)), from));
    start(from, c.to, object_at<Object>(c.segment, c.offset, from), m, unpack<std::decay_t<P>...>(from, data));
  }
  static void start(pe_id from, reply_address to, Object* object, M m, std::tuple<std::decay_t<P>...> arguments) {
    run_in_thread<R>(from, to, [object, m, arguments = std::move(arguments)]() mutable {
      return std::apply([object, m](auto&... a) { return (object->*m)(static_cast<P>(a)...); }, arguments);
    });
  }
  template <class... A>
  static void send(GlobalPtr<Object> object, reply_address to, M m, const A&... arguments) {
    static_assert(sizeof...(A) == sizeof...(P), "the number of arguments is not that of the member's parameters");
    const int node = object.node();
    check_node(node);
    if (node == myNode)
      return start(node, to, object.addr(), m,
                   std::tuple<std::decay_t<P>...>(static_cast<const std::decay_t<P>&>(arguments)...));
    const control c{to, number_of(address_of(m), typeid(void(P...))), object.offset(), object.segment()};
    std::vector<std::byte> data = pack<std::decay_t<P>...>(static_cast<const std::decay_t<P>&>(arguments)...);
    trace(trace_step::store_control, myNode, node);
    post<member>(node, c, std::move(data));
    trace(trace_step::send_control, myNode, node);
  }
  static const wire::handler_entry& entry() { return message::registered<whole_message<member>>::entry; }
};

// ---- waiting for the result

// send(reply_address) starts the call on `node`; returns its result.
template <class R, class Send>
carried<R> ask(int node, std::source_location where, const wire::handler_entry& of, Send send) {
  Sync<carried<R>> answer;
  send(answer.expect(node, of));
  carried<R> value = answer.read(where);
  trace(trace_step::resume, myNode, node);
  return value;
}

// Holds the calling thread back while the way to `node` is full.
void wait_for_room(int node);

}  // namespace tsubu::mpc::calls
