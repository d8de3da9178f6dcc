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
// caller as in remote/messages/remote_error.hpp; with nobody to come to, it ends the job. On the own node invoke is a
// call.
//
// A function is any C++ function of the program, static ones and instances of templates included; a
// member must not be virtual (invoke one that calls it). Arguments and results are values: trivially
// copyable, strings, vectors, maps, or types of the program with a cereal serialize().
#pragma once

#include <source_location>
#include <type_traits>
#include <utility>

#include "tsubu/mpc/calls.hpp"
#include "tsubu/remote/memory/segment_memory.hpp"

namespace tsubu::mpc {

// A node's number, and the line that names it: reports about a job that hangs show it.
// Local; does not block; throws nothing.
class node_at {
 public:
  node_at(int n, std::source_location w = std::source_location::current()) : node(n), where(w) {}
  int node;
  std::source_location where;
};

// ---- functions

// Runs f on that node, and assigns what it returns.
// Local; blocks the thread until the function has ended; throws what it threw, from another node as remote_error, and
// a node that is not there ends the job.
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

// Runs f, which returns nothing, on that node.
template <class... P, class... A>
void invoke(node_at at, void (*f)(P...), A&&... arguments) {
  if (at.node == myNode) return f(std::forward<A>(arguments)...);
  using call = calls::function<void, P...>;
  calls::ask<void>(at.node, at.where, call::entry(),
                   [&](remote::reply_address to) { call::send(at.node, to, f, arguments...); });
}

// Starts f on that node: what it returns goes into the Sync.
// Local; blocks only while the network is full; what the function throws comes out of the Sync, or without one ends
// the job.
template <class R, class... P, class... A>
  requires(!std::is_void_v<R>)
void ainvoke(Sync<R>& result, int node, R (*f)(P...), A&&... arguments) {
  using call = calls::function<R, P...>;
  check_node(node);
  call::send(node, result.expect(node, call::entry()), f, arguments...);
  calls::wait_for_room(node);
}

// Starts f, which returns nothing, on that node.
template <class... P, class... A>
void ainvoke(int node, void (*f)(P...), A&&... arguments) {
  calls::function<void, P...>::send(node, calls::nobody, f, arguments...);
  calls::wait_for_room(node);
}

// ---- members: of T or of a base class of it

namespace calls {
template <class Result, class T, class M, class R, class... P, class... A>
void invoke_member(Result& result, GlobalPtr<T> object, M m, std::type_identity<R(P...)>, A&&... arguments) {
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
void ainvoke_member(Sync<carried<R>>* result, GlobalPtr<T> object, M m, std::type_identity<R(P...)>, A&&... arguments) {
  using call = member<T, M, R, P...>;
  check_node(object.node());
  call::send(object, result != nullptr ? result->expect(object.node(), call::entry()) : nobody, m, arguments...);
  wait_for_room(object.node());
}
}  // namespace calls

// Runs a member of what the pointer points to, on its node.
template <class Result, class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void invoke(Result& result, GlobalPtr<T> object, R (B::*m)(P...), A&&... arguments) {
  calls::invoke_member(result, object, m, std::type_identity<R(P...)>(), std::forward<A>(arguments)...);
}
// The same for a const one.
template <class Result, class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void invoke(Result& result, GlobalPtr<T> object, R (B::*m)(P...) const, A&&... arguments) {
  calls::invoke_member(result, object, m, std::type_identity<R(P...)>(), std::forward<A>(arguments)...);
}
// For one that returns nothing.
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void invoke(GlobalPtr<T> object, void (B::*m)(P...), A&&... arguments) {
  remote::done none;
  calls::invoke_member(none, object, m, std::type_identity<void(P...)>(), std::forward<A>(arguments)...);
}
// The same for a const one.
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void invoke(GlobalPtr<T> object, void (B::*m)(P...) const, A&&... arguments) {
  remote::done none;
  calls::invoke_member(none, object, m, std::type_identity<void(P...)>(), std::forward<A>(arguments)...);
}

// Starts a member of what the pointer points to, on its node.
template <class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void ainvoke(Sync<R>& result, GlobalPtr<T> object, R (B::*m)(P...), A&&... arguments) {
  calls::ainvoke_member(&result, object, m, std::type_identity<R(P...)>(), std::forward<A>(arguments)...);
}
// The same for a const one.
template <class T, class B, class R, class... P, class... A>
  requires(!std::is_void_v<R> && std::is_base_of_v<B, T>)
void ainvoke(Sync<R>& result, GlobalPtr<T> object, R (B::*m)(P...) const, A&&... arguments) {
  calls::ainvoke_member(&result, object, m, std::type_identity<R(P...)>(), std::forward<A>(arguments)...);
}
// For one that returns nothing.
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void ainvoke(GlobalPtr<T> object, void (B::*m)(P...), A&&... arguments) {
  calls::ainvoke_member(nullptr, object, m, std::type_identity<void(P...)>(), std::forward<A>(arguments)...);
}
// The same for a const one.
template <class T, class B, class... P, class... A>
  requires std::is_base_of_v<B, T>
void ainvoke(GlobalPtr<T> object, void (B::*m)(P...) const, A&&... arguments) {
  calls::ainvoke_member(nullptr, object, m, std::type_identity<void(P...)>(), std::forward<A>(arguments)...);
}

// ---- objects on other nodes

// An array of n value-initialised T on that node; remoteFree() takes what it gave.
// Local; blocks the thread until the array is there; throws remote_error where it cannot be made, as with
// std::bad_alloc.
template <class T>
GlobalPtr<T> remoteAlloc(int node, std::int64_t n = 1) {
  remote::segment_id segment = 0;
  invoke(segment, node, &remote::make_segment<T>, static_cast<std::uint64_t>(n));
  return GlobalPtr<T>(node, segment);
}
// Ends the array, and the life of its elements.
// Local; blocks the thread until it has ended; a pointer that names no segment ends the job.
template <class T>
void remoteFree(GlobalPtr<T> p) {
  invoke(p.node(), &remote::drop_segment, p.segment(), myNode);
}

}  // namespace tsubu::mpc
