// The handlers behind a container's verbs. An operation is a type:
//
//   struct insert_key {
//     static bool run(number which, K key);                      // on the key's home
//     static const void* looks_at(number which, const K& key);   // fetched ahead of it; null: nothing
//   };
//
// Sent as a past message, its result is dropped, and a short text travels as a short_text; asked now or as a future, it
// travels back, or what run() has thrown.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/containers/parts.hpp"
#include "tsubu/containers/short_text.hpp"
#include "tsubu/remote/messages/answer.hpp"
#include "tsubu/remote/messages/call.hpp"
#include "tsubu/remote/messages/future_reply.hpp"
#include "tsubu/remote/messages/send_as.hpp"
#include "tsubu/remote/messages/sent.hpp"
#include "tsubu/remote/messages/signature.hpp"

namespace tsubu::containers {

template <class Op>
using signature_of = remote::signature_of<decltype(&Op::run)>;

template <class Op>
struct past_operation {
  using layout = typename signature_of<Op>::template apply<wire::layout>;
  static constexpr int stages = 1;
  template <class... V>
  static const void* address(int, number which, const V&... values) {
    return Op::looks_at(which, values...);
  }
  template <class... V>
  static void call(const message::delivery&, V&&... values) {
    remote::run_past(&Op::run, std::forward<V>(values)...);
  }
};

// What Op does, with a text for a key.
template <class Op, class Values>
struct operation_with_short_key;
template <class Op, class K, class... V>
struct operation_with_short_key<Op, std::tuple<number, K, V...>> {
  static void run(number which, short_text key, V... values) {
    static_cast<void>(Op::run(which, K(key.view()), std::move(values)...));
  }
  static const void* looks_at(number which, const short_text& key, const V&... values) {
    return Op::looks_at(which, K(key.view()), values...);
  }
};

template <class Op>
struct ask_operation {
  using layout = typename signature_of<Op>::template apply<wire::layout, remote::reply_address>;
  static constexpr int stages = 1;
  template <class... V>
  static const void* address(int, const remote::reply_address&, number which, const V&... values) {
    return Op::looks_at(which, values...);
  }
  template <class... V>
  static void call(const message::delivery&, remote::reply_address to, V&&... values) {
    remote::answer(to, &Op::run, std::forward<V>(values)...);
  }
};

// The three times of a verb: what a send gives.
struct past_time {
  static constexpr bool answers = false;
  template <class Op, class K, class... A>
  static remote::sent send(pe_id to, number which, const K& key, const A&... arguments) {
    using values = typename signature_of<Op>::template apply<std::tuple>;
    if constexpr (std::is_same_v<K, short_text>) {
      send_whole<operation_with_short_key<Op, values>>(to, which, key, arguments...);
    } else {
      if constexpr (std::is_same_v<std::tuple_element_t<1, values>, std::string>) {
        if (short_text::fits(key)) {
          send_whole<operation_with_short_key<Op, values>>(to, which, short_text(key), arguments...);
          return remote::sent(to);
        }
      }
      send_whole<Op>(to, which, key, arguments...);
    }
    return remote::sent(to);
  }

 private:
  template <class Op, class... A>
  static void send_whole(pe_id to, const A&... arguments) {
    using s = remote::method_call<decltype(&Op::run), A...>;
    remote::send_as<past_operation<Op>, s>(to, std::tuple<>(), arguments...);
  }
};

struct now_time {
  static constexpr bool answers = true;
  template <class Op, class... A>
  static auto send(pe_id to, const A&... arguments) {
    using s = remote::method_call<decltype(&Op::run), A...>;
    return remote::now_reply<typename s::result>(
        to, message::registered<ask_operation<Op>>::entry,
        [&](remote::reply_address slot) { remote::send_as<ask_operation<Op>, s>(to, std::tuple(slot), arguments...); });
  }
};

struct future_time {
  static constexpr bool answers = true;
  template <class Op, class... A>
  static auto send(pe_id to, const A&... arguments) {
    using s = remote::method_call<decltype(&Op::run), A...>;
    using result = typename s::result;
    promise<result> answer;
    auto later = answer.get_future();
    const auto slot = remote::open_slot<result>(remote::future_reply<result>::make(std::move(answer)), to,
                                                message::registered<ask_operation<Op>>::entry);
    remote::send_as<ask_operation<Op>, s>(to, std::tuple(slot), arguments...);
    return later;
  }
};

}  // namespace tsubu::containers
