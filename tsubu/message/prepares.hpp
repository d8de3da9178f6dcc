// What a handler says of itself for prediction.hpp, as functions of a packet's head.
//
// A handler that looks ahead (fetch_ahead.hpp) has the lines that it names fetched for writing: of what its stage 0
// names, and of the others if its way of looking says `static constexpr bool at_any_time = true`, since what a message
// of an earlier time names may be no more. It may say `static std::uint64_t key(pe_id from, const std::byte* head)`
// where the address of stage 0 does not tell one place from another, and a handler may say
// `static constexpr std::size_t touched_bytes` of the memory that the last stage names.
//
// A handler with
//     static constexpr bool is_computed_ahead = true;
//     static void compute_ahead(pe_id from, const std::byte* head);
//     static std::uint64_t ahead_key(pe_id from, const std::byte* head);
// does what its packet wants done, as far as nobody can see it, and keeps the result (prediction::keep()).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tsubu/message/fetch_ahead.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

template <class H>
concept computes_ahead = requires { requires H::is_computed_ahead; };

template <class H>
constexpr std::size_t touched_bytes_of() {
  constexpr std::size_t least = 64, most = 512;  // a longer object's method does not touch all of it
  if constexpr (requires { H::touched_bytes; }) {
    return std::clamp(std::size_t{H::touched_bytes}, least, most);
  } else {
    return least;
  }
}

template <class Looks, std::size_t touched_bytes>
struct prepares_memory {
  static constexpr int parts = [] {
    if constexpr (requires { Looks::at_any_time; }) {
      return Looks::stages;
    } else {
      return Looks::stages > 0 ? 1 : 0;
    }
  }();

  static std::uint64_t key(pe_id from, const std::byte* head) {
    if constexpr (requires { Looks::key(from, head); }) {
      return Looks::key(from, head);
    } else {
      return reinterpret_cast<std::uintptr_t>(Looks::address(0, from, head));
    }
  }

  static bool prepare(int part, pe_id from, const std::byte* head) {
    if (part >= parts) return false;
    const void* const at = Looks::address(part, from, head);
    if (at == nullptr) return false;
    const std::size_t bytes = part + 1 == Looks::stages ? touched_bytes : 1;
    for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(at) + i, 1);
    return true;
  }
};

template <class H>
class prepares {
  using looks = typename looks_of<H>::type;
  using memory = prepares_memory<looks, touched_bytes_of<H>()>;
  static constexpr std::size_t head_bytes = [] {
    if constexpr (requires { looks::head_bytes; } && !computes_ahead<H>) {
      return looks::head_bytes;
    } else {
      return H::layout::packet_bytes;
    }
  }();

  static bool prepare_nothing(int, pe_id, const std::byte*) { return false; }

  static constexpr wire::ahead_functions make() {
    if constexpr (!computes_ahead<H>) {
      return {head_bytes, &memory::key, &memory::prepare, nullptr};
    } else if constexpr (memory::parts > 0) {
      return {head_bytes, &H::ahead_key, &memory::prepare, &H::compute_ahead};
    } else {
      return {head_bytes, &H::ahead_key, &prepare_nothing, &H::compute_ahead};
    }
  }
  static constexpr bool knows_what_to_do = H::layout::fixed && head_bytes <= wire::ahead_functions::most_head_bytes &&
                                           (computes_ahead<H> || memory::parts > 0);

  template <class = void>
  struct all {
    static constexpr wire::ahead_functions functions = make();
  };

 public:
  // Null: it can do nothing ahead.
  static constexpr const wire::ahead_functions* functions() {
    if constexpr (knows_what_to_do) {
      return &all<>::functions;
    } else {
      return nullptr;
    }
  }
};

}  // namespace tsubu::message
