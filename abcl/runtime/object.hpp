// Objects: how they are created, named and sent to. A class of the program derives from object<itself>, and is final.
#pragma once

#include <coroutine>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "abcl/runtime/box.hpp"
#include "abcl/runtime/ending.hpp"
#include "abcl/runtime/keep.hpp"
#include "abcl/runtime/name.hpp"
#include "abcl/runtime/question.hpp"
#include "abcl/runtime/shown_message.hpp"
#include "abcl/runtime/site.hpp"
#include "abcl/runtime/wait.hpp"
#include "tsubu/object/create.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/object/reply_to.hpp"
#include "tsubu/remote/messages/register_exception.hpp"

namespace abcl {

// ---- sending

[[noreturn, gnu::cold, gnu::noinline]] inline void cannot_send(const name& to, const site& by) {
  if (ending.load(std::memory_order_relaxed)) throw program_ends();
  fail(by, to.is_nil() ? "a message to nil" : "a message to " + to.text());
}

// For a message to an object that is a C: of that class, or of one that has that interface.
template <class C>
[[gnu::always_inline]] inline target<C> to(const name& object, const site& by) {
  if (object.is_nil() || ending.load(std::memory_order_relaxed)) [[unlikely]]
    cannot_send(object, by);
  return {object.as<C>(), by};
}

// ---- creating

// What an object is known by to the clause that has created it: for a message to it, or as a name.
#ifdef ABCL_COLLECTS
template <class C>
class kept_ref : public tsubu::ref<C> {
 public:
  kept_ref(tsubu::strong_ref<C> of)
      : tsubu::ref<C>(of.weak()), of_(std::move(of)) {}  // NOLINT(google-explicit-constructor)
  operator name() const { return of_; }                  // NOLINT(google-explicit-constructor): it is one

 private:
  tsubu::strong_ref<C> of_;
};
template <class C>
using made = std::conditional_t<tsubu::objects::collected_class<C>, kept_ref<C>, tsubu::ref<C>>;
#else
template <class C>
using made = tsubu::ref<C>;
#endif

// As an argument of a constructor, which travels as what it is.
template <class A>
A&& as_argument(A&& value) {
  return std::forward<A>(value);
}
#ifdef ABCL_COLLECTS
template <class C>
name as_argument(const kept_ref<C>& object) {
  return object;
}
#endif

// Where the objects go that are created in loops: to two neighbours of this PE on the network, one after the other.
inline tsubu::pe_local<int> next_to_take;
inline tsubu::pe_id next_neighbour() {
  int& next = *next_to_take;
  const int k = next;
  next ^= 1;
  return tsubu::neighbour(k);
}

// (new C arguments...), there
template <class C, class... A>
[[gnu::always_inline]] inline made<C> create(tsubu::pe_id pe, A&&... arguments) {
  if (ending.load(std::memory_order_relaxed)) [[unlikely]]
    throw program_ends();
  return tsubu::create<C>(tsubu::at(pe), as_argument(std::forward<A>(arguments))...);
}
// A node that :on names.
inline tsubu::pe_id checked_node(integer node, const site& at) {
  if (static_cast<std::uint64_t>(node) >= static_cast<std::uint64_t>(tsubu::pe_count())) [[unlikely]]
    fail(at, "there is no node " + std::to_string(node));
  return static_cast<tsubu::pe_id>(node);
}

// ---- waiting for messages

// As accept() does, at a place in the program. Of a script that waits for its next message reports speak only if it has
// some that it does not take.
template <class T, class Guards, auto... M>
class [[nodiscard]] accepting final : public tsubu::objects::accepting<T, Guards, M...> {
  using base = tsubu::objects::accepting<T, Guards, M...>;

 public:
  accepting(tsubu::objects::object_base& of, const site& by, bool of_script, Guards guards)
      : base(of, of_script ? base::takes_up_to::all : base::takes_up_to::one, std::move(guards)),
        by_(by),
        of_script_(of_script) {}

 private:
  wait_text told() const override {
    wait_text text = told_at(*this, by_);
    const auto* const waiting = tsubu::objects::waiting_object(*this);
    if (waiting == nullptr) return text;
    const tsubu::objects::object_base::header& h = waiting->tsubu_header;
    const std::size_t held = h.queue.size();
    if (held != 0) text.whom = shown_held(held, text_of(*h.queue.first()));
    const bool looks = h.is(h.accepting) && !h.is(h.held) && h.accepts == this;  // no clause runs
    text.listed = !of_script_ || (looks && held != 0);
    return text;
  }
  const site& by_;
  const bool of_script_;
};

// ---- an object

// Collected, if the names of the program keep their objects, unless all of them end by themselves.
template <class C, bool collected = collects>
class object : public object_base<C, collected> {
 protected:
  object() = default;
  ~object() = default;

  name me() const {
    if constexpr (collected) {
      return this->strong_self();
    } else {
      return this->self();
    }
  }
  template <auto... M, class... G>
  auto accept_at(const site& by, G... guards) {
    return accepting<C, std::tuple<G...>, M...>(*this, by, false, std::tuple<G...>(std::move(guards)...));
  }
  template <auto... M, class... G>
  auto serve_at(const site& by, G... guards) {
    return accepting<C, std::tuple<G...>, M...>(*this, by, true, std::tuple<G...>(std::move(guards)...));
  }
  // In a constructor: the body that waits, or the script that has guards, runs as the object's first message.
  template <auto Body>
  void begin() {
    this->self().template express<Body>();
  }
};

// Whom a `!` replies to, in a clause that goes on after it or keeps it: a now sender, whose question has one answer, or
// a destination that came in the message. R is void for (@ []). M: how objects take it that stand for a destination.
template <class R, auto M = nullptr>
class asker {
  using value = std::conditional_t<std::is_void_v<R>, none, R>;

 public:
  asker() = default;
  explicit asker(tsubu::reply_to<R> of_now) : of_now_(std::move(of_now)) {}
  explicit asker(const name& destination) : destination_(destination), by_name_(true) {}

  template <class... V>
  void operator()(const site& by, V... v) {
    if (by_name_) {
      replied_ = true;
      return to_name(by, value(std::move(v)...));
    }
    if (!of_now_) [[unlikely]]
      fail(by, "a second reply to a question that has been answered");
    of_now_.reply(std::move(v)...);
  }

  // The clause has ended, which begins there.
  void ended(const site& clause) const {
    const bool is_waited_for = by_name_ ? !replied_ && destination_.is_box() && !destination_.many() : of_now_.wanted();
    if (is_waited_for && !ending.load(std::memory_order_relaxed)) [[unlikely]]
      fail(clause, "the clause has ended without a reply that is waited for");
  }
  // No reply will come: who waits for it is left, too.
  void leave() {
    if (by_name_) return abcl::leave<value>(destination_);
    if (of_now_) of_now_.fail(std::make_exception_ptr(not_resumed()));
  }

 private:
  void to_name(const site& by, value v) const {
    if constexpr (std::is_null_pointer_v<decltype(M)>) {
      reply<value>(destination_, by, std::move(v));
    } else if constexpr (std::is_void_v<R>) {
      reply_or_send<M, none>(destination_, by);
    } else if constexpr (requires { std::tuple_size<R>::value; }) {
      std::apply([&](auto&... e) { reply_or_send<M, R>(destination_, by, std::move(e)...); }, v);
    } else {
      reply_or_send<M, R>(destination_, by, std::move(v));
    }
  }

  tsubu::reply_to<R> of_now_;
  name destination_;
  bool by_name_ = false;
  bool replied_ = false;  // by name
};

// A message that a wait-for has taken: what it has brought, for the clause that waited.
template <class Asker, class... V>
struct taken {
  Asker asker;
  std::tuple<V...> values;
};

// A message that no clause fits is never executed: it waits in the queue.
[[noreturn]] inline void never() { tsubu::end_job(tsubu::exit_code::failed, "abcl: a message that no clause fits"); }

// The guard of a clause without conditions, beside others that have some.
struct always {
  bool operator()() const { return true; }
};

// `co_await forever()`: a body that ends without a script. Its object takes no message any more.
struct forever {
  forever() = default;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<>) const {}
  void suspend(tsubu::ready_item, std::source_location) const {}
  void await_resume() const {}
};

}  // namespace abcl
