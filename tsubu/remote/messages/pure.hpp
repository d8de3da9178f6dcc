// Functions and methods that an idle PE may execute before the message that asks for them is there.
//
// "Running user code ahead" is future work of the paper that receive prediction is from (Iwamoto and others, 1997). A
// PE that expects a question (--tsubu-predictor) calls what it asks for; if the next message is that question, with the
// same values, the result is there, and else it is forgotten.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tsubu/message/handler.hpp"
#include "tsubu/wire/plain.hpp"

namespace tsubu {

// Specialise as true for a function whose result depends on nothing but its arguments, or a const method whose result
// depends on these and on its object, and that does nothing else:
//   template <> inline constexpr bool tsubu::pure<&table::look_up> = true;
// It returns a value, and is no coroutine; arguments and result are trivially copyable. It may be called for a
// message that never comes, and what it throws then is forgotten.
template <auto F>
inline constexpr bool pure = false;

namespace remote {

template <class R, class... V>
struct kept_answer final : message::kept_result {
  kept_answer(const V&... given, R answer) : values(given...), result(std::move(answer)) {}
  std::tuple<V...> values;
  R result;
};

// What has been computed ahead for this packet of H, with these values; else nothing.
template <class H, class R, class... V>
std::optional<R> computed_ahead(const V&... values) {
  const detail::owned<message::kept_result> kept = message::this_endpoint->take_ahead(message::registered<H>::entry);
  if (kept == nullptr) return std::nullopt;
  auto& answer = static_cast<kept_answer<R, V...>&>(*kept);
  if (answer.values != std::tuple<const V&...>(values...)) return std::nullopt;
  message::this_endpoint->used_ahead();
  return std::move(answer.result);
}

// Calls f(values...) and keeps the result for computed_ahead().
template <class H, class R, class F, class... V>
void compute_ahead(F&& f, const V&... values) {
  static_assert(!std::is_void_v<R> && wire::plain<R> && (wire::plain<V> && ...),
                "a pure function returns a value, and that and its arguments are trivially copyable");
  static_assert((std::equality_comparable<V> && ...),
                "arguments of a pure function are compared with those that come: one has no ==");
  try {
    auto kept = std::make_unique<kept_answer<R, V...>>(values..., f(values...));
    message::this_endpoint->keep_ahead(message::registered<H>::entry, std::move(kept));
  } catch (...) {
    // If the message comes, it is called again, and what it throws goes where it belongs.
    return;
  }
}

// A hash (FNV-1a) of a packet, without its bytes from `skip` to `skip_end`.
inline std::uint64_t hash_of_packet(const std::byte* packet, std::size_t bytes, std::size_t skip,
                                    std::size_t skip_end) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (i >= skip && i < skip_end) continue;
    hash = (hash ^ static_cast<std::uint64_t>(packet[i])) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace remote
}  // namespace tsubu
