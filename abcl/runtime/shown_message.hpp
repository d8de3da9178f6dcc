// How the messages of a compiled program are written in ABCL/ST: what is said of those that come too late.
//
// The compiler writes a table of the methods of classes whose objects may end:
//
//   inline constexpr abcl::shown_message messages[] = {abcl::shown<&A::on_get_to>("[:get (@ Int)]"), ...};
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "abcl/runtime/destination.hpp"
#include "abcl/runtime/ending.hpp"
#include "abcl/runtime/late.hpp"
#include "tsubu/object/message.hpp"
#include "tsubu/object/method.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace abcl {

struct shown_message {
  const void* method;  // its identity
  const char* text;
  // Where a message of that method says that its reply goes; null: it does not say.
  const destination* (*reply)(const tsubu::objects::mail&);
};

namespace detail {

template <class... V>
const destination* reply_in(const tsubu::objects::mail& m, const std::tuple<V...>*) {
  if constexpr (sizeof...(V) > 0) {
    using last = std::tuple_element_t<sizeof...(V) - 1, std::tuple<V...>>;
    if constexpr (std::is_same_v<last, destination>)
      return &std::get<sizeof...(V) - 1>(static_cast<const tsubu::objects::message_with<V...>&>(m).values);
  }
  return nullptr;
}

template <auto M>
const destination* reply_of(const tsubu::objects::mail& m) {
  return reply_in(m, static_cast<const tsubu::objects::values_of<M>*>(nullptr));
}

}  // namespace detail

template <auto M>
constexpr shown_message shown(const char* text) {
  return {&tsubu::objects::method_identity<M>, text, &detail::reply_of<M>};
}

// Those of the program, made known before the job starts.
struct message_tables {
  std::array<std::span<const shown_message>, site_tables::most> tables;
  std::size_t used = 0;
};
inline constinit message_tables all_messages{};

inline bool add_messages(std::span<const shown_message> table) {
  tsubu::require(all_messages.used < site_tables::most, "more than {} programs in ABCL/ST in one", site_tables::most);
  all_messages.tables[all_messages.used++] = table;
  return true;
}

inline const shown_message* find_message(const void* method) {
  for (std::size_t i = 0; i < all_messages.used; ++i) {
    for (const shown_message& m : all_messages.tables[i]) {
      if (m.method == method) return &m;
    }
  }
  return nullptr;
}

inline std::string text_of(const tsubu::objects::mail& m) {
  const shown_message* const known = find_message(m.of->method);
  return known != nullptr ? known->text : tsubu::objects::method_name(*m.of);
}

// Who asked at that place gets no reply.
[[noreturn, gnu::cold, gnu::noinline]] inline void asked_nobody(std::uint32_t by, const std::string& message) {
  tsubu::end_job(tsubu::exit_code::failed, text_of(by) + ": " + asked_an_ended_object(message));
}

inline tsubu::pe_local<late_messages> late;

// A past message has come to an object that has ended.
inline void comes_too_late(const tsubu::objects::mail& m) {
  const shown_message* const known = find_message(m.of->method);
  const std::string text = text_of(m);
  const destination* const to = known != nullptr ? known->reply(m) : nullptr;
  if (to == nullptr || !to->is_box()) return late->count(tsubu::this_pe(), text);
  if (!ending.load(std::memory_order_relaxed)) asked_nobody(to->by, text);
}

}  // namespace abcl
