// Remote function invocation: invoke waits for the result, ainvoke does not.
//
//   invoke(i, 1, foo, 1, 2);                  // i = foo(1, 2), run on node 1
//   invoke(1, hello, 5);                      // a void function; returns when it has ended
//   invoke(x, object, &particle::where);      // a member of the object that a GlobalPtr points to
//   invoke(object, &particle::move, 0.5);
//   ainvoke(sync, 1, foo, 1, 2);              // the four without waiting: the result goes into a Sync<int>
//   ainvoke(1, hello, 5);                     // nobody is told when it has ended
//
// The function runs in a thread of its own on that node, so it may block. What it throws comes to the
// caller as remote_error; with nobody to come to, it ends the job. On the own node invoke is a call.
//
// A function is any C++ function of the program, static ones and instances of templates included; a
// member must not be virtual (invoke one that calls it). Arguments and results are values: trivially
// copyable, strings, vectors, maps, or types of the program with a cereal serialize().
#pragma once

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
#include "tsubu/remote/at.hpp"
#include "tsubu/remote/call.hpp"

namespace tsubu::mpc {

// A node's number, and the line that names it: reports about a job that hangs show it.
class node_at {
 public:
  node_at(int n, std::source_location w = std::source_location::current()) : node(n), where(w) {}
  int node;
  std::source_location where;
};

namespace calls {

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
    auto* sink = remote::current_pe->replies.take(from, slot, generation, &remote::reply_type<carried<R>>);
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

}  // namespace calls

// ---- functions

template <class Result, class R, class... P, class... A>
  requires(!std::is_void_v<R>)
void invoke(Result& result, node_at at, R (*f)(P...), A&&... arguments) {
  if (at.node == myNode) {
    result = f(std::forward<A>(arguments)...);
    return;
  }
  using call = calls::function<R, P...>;
  result = calls::ask<R>(at.node, at.where, call::entry(),
                         [&](remote::reply_address to) { call::send(at.node, to, f, arguments...); });
}

template <class... P, class... A>
void invoke(node_at at, void (*f)(P...), A&&... arguments) {
  if (at.node == myNode) return f(std::forward<A>(arguments)...);
  using call = calls::function<void, P...>;
  calls::ask<void>(at.node, at.where, call::entry(),
                   [&](remote::reply_address to) { call::send(at.node, to, f, arguments...); });
}

template <class R, class... P, class... A>
  requires(!std::is_void_v<R>)
void ainvoke(Sync<R>& result, int node, R (*f)(P...), A&&... arguments) {
  using call = calls::function<R, P...>;
  check_node(node);
  call::send(node, result.expect(node, call::entry()), f, arguments...);
  calls::wait_for_room(node);
}

template <class... P, class... A>
void ainvoke(int node, void (*f)(P...), A&&... arguments) {
  calls::function<void, P...>::send(node, calls::nobody, f, arguments...);
  calls::wait_for_room(node);
}

// ---- members: of T or of a base class of it

namespace calls {
template <class Result, class T, class M, class R, class... P, class... A>
void invoke_member(Result& result, GlobalPtr<T> object, M m, remote::signature<R, P...>, A&&... arguments) {
  if (object.node() == myNode) {
    if constexpr (std::is_void_v<R>)
      (object.addr()->*m)(std::forward<A>(arguments)...);
    else
      result = (object.addr()->*m)(std::forward<A>(arguments)...);
    return;
  }
  using call = member<T, M, R, P...>;
  result = ask<R>(object.node(), std::source_location::current(), call::entry(),
                  [&](reply_address to) { call::send(object, to, m, arguments...); });
}
template <class T, class M, class R, class... P, class... A>
void ainvoke_member(Sync<carried<R>>* result, GlobalPtr<T> object, M m, remote::signature<R, P...>, A&&... arguments) {
  using call = member<T, M, R, P...>;
  check_node(object.node());
  call::send(object, result != nullptr ? result->expect(object.node(), call::entry()) : nobody, m, arguments...);
  wait_for_room(object.node());
}
}  // namespace calls

template <class Result, class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void invoke(Result& result, GlobalPtr<T> object, R (B::*m)(P...), A&&... arguments) {
  calls::invoke_member(result, object, m, remote::signature<R, P...>(), std::forward<A>(arguments)...);
}
template <class Result, class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void invoke(Result& result, GlobalPtr<T> object, R (B::*m)(P...) const, A&&... arguments) {
  calls::invoke_member(result, object, m, remote::signature<R, P...>(), std::forward<A>(arguments)...);
}
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void invoke(GlobalPtr<T> object, void (B::*m)(P...), A&&... arguments) {
  remote::done none;
  calls::invoke_member(none, object, m, remote::signature<void, P...>(), std::forward<A>(arguments)...);
}
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void invoke(GlobalPtr<T> object, void (B::*m)(P...) const, A&&... arguments) {
  remote::done none;
  calls::invoke_member(none, object, m, remote::signature<void, P...>(), std::forward<A>(arguments)...);
}

template <class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void ainvoke(Sync<R>& result, GlobalPtr<T> object, R (B::*m)(P...), A&&... arguments) {
  calls::ainvoke_member(&result, object, m, remote::signature<R, P...>(), std::forward<A>(arguments)...);
}
template <class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void ainvoke(Sync<R>& result, GlobalPtr<T> object, R (B::*m)(P...) const, A&&... arguments) {
  calls::ainvoke_member(&result, object, m, remote::signature<R, P...>(), std::forward<A>(arguments)...);
}
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void ainvoke(GlobalPtr<T> object, void (B::*m)(P...), A&&... arguments) {
  calls::ainvoke_member(nullptr, object, m, remote::signature<void, P...>(), std::forward<A>(arguments)...);
}
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void ainvoke(GlobalPtr<T> object, void (B::*m)(P...) const, A&&... arguments) {
  calls::ainvoke_member(nullptr, object, m, remote::signature<void, P...>(), std::forward<A>(arguments)...);
}

// ---- objects on other nodes

// An array of n value-initialised T on that node; remoteFree() takes what it gave.
template <class T>
GlobalPtr<T> remoteAlloc(int node, std::int64_t n = 1) {
  remote::segment_id segment = 0;
  invoke(segment, node, &remote::make_segment<T>, static_cast<std::uint64_t>(n));
  return GlobalPtr<T>(tsubu::global_ptr<T>(node, segment, 0));
}
template <class T>
void remoteFree(GlobalPtr<T> p) {
  invoke(p.node(), &remote::drop_segment, p.segment(), myNode);
}

}  // namespace tsubu::mpc
