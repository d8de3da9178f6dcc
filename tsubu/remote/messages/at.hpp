// Where a message goes, and how it is sent.
//
//   at(3).past<relax>(u, d);                      // no reply; `co_await` it to be held back by a full network
//   double x = co_await at(3).now<f>(y);          // waits for the reply
//   future<double> z = at(3).future<f>(y);        // takes the reply later
//   co_await at(3).now([k] { return k * k; });    // a lambda; its captures travel with it
//   auto all = co_await everywhere().now<f>(y);   // one reply from each PE
//   auto sum = co_await everywhere().now<f>(reduce::plus, y);
//   co_await everywhere(row).past<f>(y);          // on each member of a team
//
// A target is a function, a coroutine (it returns a task), or a lambda whose captures are trivially
// copyable; a method, where the destination is an object: at(global_ptr<T>).now<&T::m>(y). Arguments
// are values and are converted to the parameters' types before they travel. Sends from one PE to
// another are executed in the order they were sent. Nothing is executed inside a send, not even on
// the own PE.
//
// A lambda must not capture by reference: the compiler cannot tell, and on another PE the reference
// would point nowhere.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/collectives/team.hpp"
#include "tsubu/remote/messages/call.hpp"
#include "tsubu/remote/messages/future_reply.hpp"
#include "tsubu/remote/messages/send_as.hpp"
#include "tsubu/remote/messages/sent.hpp"

namespace tsubu {

namespace remote {

// In write_combining_table.hpp, which whoever calls past_combining() includes.
template <class H, class Op, class Key, class Value>
void add_combining(pe_id to, const Key& key, const Value& value);

}  // namespace remote

// Where a message to a PE goes. A function F is named at compile time; a lambda travels.
// Local; now() blocks until the reply is there, past() only at a co_await and while the network is full, future()
// never; now() and an awaited future throw remote_error where the target threw, and a PE that is not there ends the
// job.
class [[nodiscard]] pe_destination {
 public:
  explicit pe_destination(pe_id pe) : pe_(pe) {}
  // Its number.
  pe_id pe() const { return pe_; }

  // ---- a function or coroutine, named at compile time

  // Runs F(arguments...) there. No reply.
  template <auto F, class... A>
  remote::sent past(A&&... arguments) const {
    using s = remote::function_call<decltype(F), A...>;
    remote::send_as<remote::past_call<F>, s>(pe_, std::tuple<>(), std::forward<A>(arguments)...);
    return remote::sent(pe_);
  }

  // A list in braces does not tell which type it is of.
  template <auto F, class E, class... A>
  auto past(std::initializer_list<E>, A&&...) const -> typename remote::list_in_braces<E, remote::sent>::type;

  // As past<F>(key, value), where F(key, a) and then F(key, b) is F(key, op(a, b)), in any order: updates of one key
  // that meet on this PE before they leave are sent as one. For skewed keys; not in order with other messages.
  template <auto F, class Op = reduce::plus_op, class K, class V>
    requires(remote::signature_of<decltype(F)>::arity == 2 && reduce::is_op<Op>)
  remote::sent past_combining(const K& key, const V& value, Op = {}) const {
    using pair = typename remote::signature_of<decltype(F)>::template apply<std::tuple>;
    using kept_key = std::tuple_element_t<0, pair>;
    using kept_value = std::tuple_element_t<1, pair>;
    static_assert(wire::plain<kept_key> && wire::plain<kept_value>,
                  "a key and a value that are combined are trivially copyable");
    static_assert(
        requires(const kept_key& k) { std::hash<kept_key>()(k); },
        "updates are found by the std::hash of their key, and this key has none: specialise it");
    require(static_cast<std::uint32_t>(pe_) < static_cast<std::uint32_t>(tsubu::pe_count()),
            "a message for PE {}, but the job's PEs are 0 to {}", pe_, tsubu::pe_count() - 1);
    remote::add_combining<remote::past_call<F>, Op>(pe_, static_cast<kept_key>(key), static_cast<kept_value>(value));
    return remote::sent(pe_);
  }

  // `co_await` gives the result; if F threw, throws what remote_error.hpp says.
  template <auto F, class... A>
  auto now(A&&... arguments) const {
    using s = remote::function_call<decltype(F), A...>;
    return remote::now_reply<typename s::result>(
        pe_, message::registered<remote::ask_call<F>>::entry, [&](remote::reply_address slot) {
          remote::send_as<remote::ask_call<F>, s>(pe_, std::tuple(slot), std::forward<A>(arguments)...);
        });
  }

  template <auto F, class E, class... A>
  auto now(std::initializer_list<E>, A&&...) const -> typename remote::list_in_braces<E, remote::sent>::type;
  template <auto F, class E, class... A>
  auto future(std::initializer_list<E>, A&&...) const -> typename remote::list_in_braces<E, remote::sent>::type;

  // The result as a future.
  template <auto F, class... A>
  auto future(A&&... arguments) const {
    using s = remote::function_call<decltype(F), A...>;
    promise<typename s::result> result;
    auto later = result.get_future();
    const auto slot =
        remote::open_slot<typename s::result>(remote::future_reply<typename s::result>::make(std::move(result)), pe_,
                                              message::registered<remote::ask_call<F>>::entry);
    remote::send_as<remote::ask_call<F>, s>(pe_, std::tuple(slot), std::forward<A>(arguments)...);
    return later;
  }

  // ---- a lambda

  // As those above, of closure(arguments...).
  template <class L, class... A>
  remote::sent past(L closure, A... arguments) const {
    check_lambda<L, A...>();
    remote::send<remote::past_lambda<L, A...>>(pe_, closure, arguments...);
    return remote::sent(pe_);
  }

  template <class L, class... A>
  auto now(L closure, A... arguments) const {
    check_lambda<L, A...>();
    using result = typename remote::awaited<std::invoke_result_t<L&, A...>>::type;
    using handler = remote::ask_lambda<L, A...>;
    return remote::now_reply<result>(pe_, message::registered<handler>::entry, [&](remote::reply_address slot) {
      remote::send<handler>(pe_, slot, closure, arguments...);
    });
  }

  template <class L, class... A>
  auto future(L closure, A... arguments) const {
    check_lambda<L, A...>();
    using result = typename remote::awaited<std::invoke_result_t<L&, A...>>::type;
    using handler = remote::ask_lambda<L, A...>;
    promise<result> answer;
    auto later = answer.get_future();
    const auto slot = remote::open_slot<result>(remote::future_reply<result>::make(std::move(answer)), pe_,
                                                message::registered<handler>::entry);
    remote::send<handler>(pe_, slot, closure, arguments...);
    return later;
  }

 private:
  template <class L, class... A>
  static constexpr void check_lambda() {
    static_assert(
        remote::travelling_lambda<L>,
        "only a lambda whose captures are trivially copyable can be sent: pass what owns memory as an argument");
    static_assert(!(wire::lacks_default<A>::value || ...),
                  "an argument's type has no default constructor: what comes is read into a value made by default");
    static_assert(
        ((wire::sendable<A> || wire::lacks_default<A>::value) && ...),
        "an argument cannot travel: pointers and views do not; send the value, a std::string or a global_ptr");
    static_assert(std::is_invocable_v<L&, A...>, "the lambda cannot be called with these arguments");
  }

  pe_id pe_;
};

// The PE of that number: 0 <= pe < pe_count(). The number may be of any integral type.
// Local; does not block; a number that is no PE's ends the job when something is sent.
inline pe_destination at(pe_id pe) { return pe_destination(pe); }
template <std::integral I>
  requires(!std::same_as<I, pe_id> && !std::same_as<I, bool>)
pe_destination at(I pe) {
  return pe_destination(remote::pe_of(pe));
}

// A PE that is near this one: the k-th of its neighbours on the network, k = 0, 1, .., where those are known (they are
// on a simulated machine), else the PE k + 1 further on. A program that places its work by it stays near.
// Local; does not block; outside a job it ends the process.
inline pe_id neighbour(int k = 0) {
  return simulated != nullptr ? simulated->neighbour(this_pe(), k) : (this_pe() + 1 + k) % pe_count();
}

// Where a message to all PEs goes.
// Local; now() blocks until all have answered, past() only at a co_await and while the network is full; now()
// throws the first of what the targets threw, by PE, as remote_error.
class [[nodiscard]] everywhere_destination {
 public:
  explicit everywhere_destination(team members) : members_(std::move(members)) {}

  // Executes it on each member once, the own PE included if it is one.
  template <auto F, class... A>
  room_everywhere past(const A&... arguments) const {
    for_each([&](pe_id pe) { at(pe).past<F>(arguments...); });
    return room_everywhere();
  }
  template <class L, class... A>
  room_everywhere past(L closure, A... arguments) const {
    for_each([&](pe_id pe) { at(pe).past(closure, arguments...); });
    return room_everywhere();
  }

  // All replies, by rank. For void targets: returns when all have ended.
  template <auto F, class... A>
    requires(sizeof...(A) == remote::signature_of<decltype(F)>::arity)
  auto now(const A&... arguments) const {
    using result = typename remote::signature_of<decltype(F)>::result;
    std::vector<tsubu::future<result>> replies;
    for_each([&](pe_id pe) { replies.push_back(at(pe).future<F>(arguments...)); });
    return take_all<result>(std::move(replies));
  }
  template <class L, class... A>
    requires std::is_invocable_v<L&, A...>
  auto now(L closure, A... arguments) const {
    using result = typename remote::awaited<std::invoke_result_t<L&, A...>>::type;
    std::vector<tsubu::future<result>> replies;
    for_each([&](pe_id pe) { replies.push_back(at(pe).future(closure, arguments...)); });
    return take_all<result>(std::move(replies));
  }

  // The replies combined by `op`, in the order of the ranks.
  template <auto F, class Op, class... A>
    requires(reduce::is_op<Op> && sizeof...(A) == remote::signature_of<decltype(F)>::arity)
  auto now(Op op, const A&... arguments) const {
    using result = typename remote::signature_of<decltype(F)>::result;
    return combine<result, Op>(op, now<F>(arguments...));
  }

  template <class Op, class L, class... A>
    requires(reduce::is_op<Op> && std::is_invocable_v<L&, A...>)
  auto now(Op op, L closure, A... arguments) const {
    using result = typename remote::awaited<std::invoke_result_t<L&, A...>>::type;
    return combine<result, Op>(op, now(closure, arguments...));
  }

  // As now(), started: take the result later.
  template <auto F, class... A>
  auto future(const A&... arguments) const {
    return start(now<F>(arguments...));
  }
  template <class L, class... A>
  auto future(L closure, A... arguments) const {
    return start(now(closure, arguments...));
  }

 private:
  template <class F>
  void for_each(F f) const {
    members_.part().members.for_each(f);
  }
  template <class R>
  static auto take_all(std::vector<tsubu::future<R>> replies) {
    if constexpr (std::is_void_v<R>) {
      return await_all(std::move(replies));
    } else {
      return collect_all<R>(std::move(replies));
    }
  }
  static task<void> await_all(std::vector<tsubu::future<void>> replies);
  template <class R>
  static task<std::vector<R>> collect_all(std::vector<tsubu::future<R>> replies) {
    std::vector<R> values;
    values.reserve(replies.size());
    for (auto& reply : replies) values.push_back(co_await std::move(reply));
    co_return values;
  }
  template <class R, class Op>
  static task<R> combine(Op op, task<std::vector<R>> all) {
    std::vector<R> values = co_await std::move(all);
    co_return reduce::all_of(std::move(values), op);
  }

  team members_;
};

// All members of a team, whether this PE is one or not: straight to each, in order with what else is sent there.
// Local; does not block; throws nothing.
inline everywhere_destination everywhere(team members) { return everywhere_destination(std::move(members)); }
// All PEs of the job.
// Local; does not block; throws nothing.
inline everywhere_destination everywhere() { return everywhere(world()); }

}  // namespace tsubu
