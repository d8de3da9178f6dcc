// The name of a concurrent object, from which messages are sent to it.
//
//   c.past<&counter::add>(1);                    // no reply; `co_await` it to be held back by a full network
//   long n = co_await c.now<&counter::get>();    // waits for the reply; throws what it threw, or object_gone
//   future<long> f = c.future<&counter::get>();  // takes the reply later
//   c.express<&counter::stop>();                 // past, ahead of the messages that wait
//   c.delegate<&counter::get>(std::move(to));    // past; the answer goes to `to`, a reply_to<long>
//   c.past<&counter::later>(std::move(to), k);   // the same, where the method takes its obligation to reply as a
//   reply_to long m = co_await c.now([](counter& it) { return 2 * it.n; });    // a lambda; past and future, too
//
// A ref<circle> is a ref<shape>, if circle is derived from shape and that has virtual methods.
//
// Messages from one PE's code to one object are executed in the order they were sent, express ones apart. A message to
// a dormant object of the same PE is executed at once, on the sender's stack, before the send returns; not if the stack
// is deep, nor from a fiber.
#pragma once

#include <functional>
#include <initializer_list>

#include "tsubu/object/lambda.hpp"
#include "tsubu/object/request.hpp"
#include "tsubu/remote/messages/future_reply.hpp"
#include "tsubu/remote/messages/sent.hpp"

namespace tsubu {

template <class T, auto M>
class streamed;

// Local; now(), move_to() and status() block until the answer is there, the others only at a co_await and while the
// network is full; now() throws remote_error where the method threw, object_gone where there is no object, and a
// ref that names nobody ends the job.
template <class T>
class ref {
 public:
  // Names nobody.
  constexpr ref() = default;
  explicit ref(const objects::identity& id) : id_(id) {}
  // It names the same object, whose class D is derived from T; T has virtual methods, as a base class or an interface.
  template <class D>
    requires(!std::is_same_v<D, T> && std::is_convertible_v<D*, T*>)
  ref(const ref<D>& derived) : id_(derived.id()) {  // NOLINT(google-explicit-constructor): as a pointer does
    static_assert(std::is_polymorphic_v<T>, "a ref becomes a ref of a base class only if that has virtual methods");
  }

  explicit operator bool() const { return id_.home != no_pe; }
  bool operator==(const ref&) const = default;

  // The PE where it was created, and where it lives unless it has moved.
  pe_id pe() const { return id_.home; }

  // Sends M(a...). No reply.
  template <auto M, class... A>
  remote::sent past(A&&... a) const {
    if constexpr (objects::gives_duty<M, A...>()) {
      delegate<M>(std::forward<A>(a)...);
    } else if constexpr (objects::fits<T, M, A...>()) {
      send<M, false>(std::forward<A>(a)...);
    }
    return remote::sent(id_.home);
  }
  // The same, ahead of the messages that wait.
  template <auto M, class... A>
  remote::sent express(A&&... a) const {
    if constexpr (objects::fits<T, M, A...>()) send<M, true>(std::forward<A>(a)...);
    return remote::sent(id_.home);
  }

  // A list in braces does not tell which type it is of.
  template <auto M, class E, class... A>
  auto past(std::initializer_list<E>, A&&...) const -> typename remote::list_in_braces<E, remote::sent>::type;
  template <auto M, class E, class... A>
  auto now(std::initializer_list<E>, A&&...) const -> typename remote::list_in_braces<E, remote::sent>::type;
  template <auto M, class E, class... A>
  auto future(std::initializer_list<E>, A&&...) const -> typename remote::list_in_braces<E, remote::sent>::type;

  // Awaited: the answer.
  template <auto M, class... A>
  auto now(A&&... a) const {
    if constexpr (objects::fits<T, M, A...>()) {
      check();
      return make_request<M>(static_cast<objects::values_of<M>*>(nullptr), std::forward<A>(a)...);
    }
  }

  // The answer as a future.
  template <auto M, class... A>
  auto future(A&&... a) const {
    if constexpr (objects::fits<T, M, A...>()) {
      using R = objects::result_of<M>;
      check();
      promise<R> given;
      tsubu::future<R> later = given.get_future();
      outcome<R> result;
      const auto sink = [&given]() -> remote::reply_sink& { return remote::future_reply<R>::make(std::move(given)); };
      if (as_values<M>(
              [&](auto&&... v) { return objects::ask<T, M>(id_, result, sink, std::forward<decltype(v)>(v)...); },
              std::forward<A>(a)...)) {
        objects::settle(given, result);
      }
      return later;
    }
  }

  // No reply; the answer goes to `to`.
  template <auto M, class... A>
  void delegate(reply_to<objects::result_of<M>> to, A&&... a) const {
    if constexpr (objects::fits<T, M, A...>()) {
      check();
      const objects::destination d = to.take();
      as_values<M>([&](auto&&... v) { objects::send_delegated<T, M>(id_, d, std::forward<decltype(v)>(v)...); },
                   std::forward<A>(a)...);
    }
  }

  // ---- a lambda, which is called with the object and the arguments; see lambda.hpp

  template <class L, class... A>
  remote::sent past(L closure, A... arguments) const {
    return past<objects::method_calling<T, L, A...>()>(remote::sent_closure<L>(closure), std::move(arguments)...);
  }
  template <class L, class... A>
  remote::sent express(L closure, A... arguments) const {
    return express<objects::method_calling<T, L, A...>()>(remote::sent_closure<L>(closure), std::move(arguments)...);
  }
  template <class L, class... A>
  auto now(L closure, A... arguments) const {
    return now<objects::method_calling<T, L, A...>()>(remote::sent_closure<L>(closure), std::move(arguments)...);
  }
  template <class L, class... A>
  auto future(L closure, A... arguments) const {
    return future<objects::method_calling<T, L, A...>()>(remote::sent_closure<L>(closure), std::move(arguments)...);
  }

  // A message whose arguments leave one by one; see stream.hpp.
  template <auto M>
  streamed<T, M> stream() const;

  // Ends the object, after the messages sent before.
  remote::sent end() const { return past<&objects::object_base::tsubu_end>(); }

  // Moves it to another PE, after the messages sent before; answers with that PE when it is there. The class needs a
  // default constructor and a cereal serialize(). Its name stays, and so does the order of messages.
  auto move_to(pe_id pe) const {
    static_assert(objects::may_move<T>, "an object that moves needs a default constructor and a cereal serialize()");
    objects::check_place(pe);
    return now<&objects::object_base::tsubu_move>(pe);
  }

  // What it is doing, where it lives. Asked between the methods and tasks of its PE, so one that runs is not seen.
  auto status() const { return now<&objects::object_base::tsubu_status>(); }

  // The runtime's.
  const objects::identity& id() const { return id_; }

 private:
  void check() const {
    if (id_.home < 0) [[unlikely]]
      objects::no_object_named();
  }
  template <auto M, bool express, class... A>
  [[gnu::always_inline]] void send(A&&... a) const {
    check();
    as_values<M>([this](auto&&... v) { objects::send_past<T, M, express>(id_, std::forward<decltype(v)>(v)...); },
                 std::forward<A>(a)...);
  }
  // Calls f with the arguments as what the method takes.
  template <auto M, class F, class... A>
  [[gnu::always_inline]] static decltype(auto) as_values(F f, A&&... a) {
    return convert(f, static_cast<objects::values_of<M>*>(nullptr), std::forward<A>(a)...);
  }
  template <class F, class... V, class... A>
  [[gnu::always_inline]] static decltype(auto) convert(F& f, std::tuple<V...>*, A&&... a) {
    return f(static_cast<V>(std::forward<A>(a))...);
  }
  template <auto M, class... V, class... A>
  request<T, M, V...> make_request(std::tuple<V...>*, A&&... a) const {
    return request<T, M, V...>(id_, std::forward<A>(a)...);
  }

  objects::identity id_;
};
static_assert(wire::plain<ref<int>> && sizeof(ref<int>) == 12);

// An object is no PE.
// Local; never called, so it does not block; does not compile.
template <class T>
auto at(const ref<T>& object) {
  static_assert(!sizeof(T), "an object is sent to by its reference: r.now<&T::method>(...), without at()");
  return object;
}

}  // namespace tsubu

template <class T>
struct std::hash<tsubu::ref<T>> {
  std::size_t operator()(const tsubu::ref<T>& r) const { return tsubu::objects::identity_hash()(r.id()); }
};
