// What a PE notes of a message that has come, to expect one like it later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tsubu/base/random.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu::message {

// The handler, who sent it, and the packet's head: enough to find the object that a packet names.
struct noted_message {
  const wire::handler_entry* handler = nullptr;
  pe_id from = no_pe;
  std::uint32_t head_bytes = 0;  // of the packet, as far as they are kept
  std::array<std::byte, wire::ahead_functions::most_head_bytes> head{};

  noted_message() = default;
  noted_message(const wire::handler_entry& h, pe_id sender, std::span<const std::byte> packet) {
    set(h, sender, packet);
  }

  [[gnu::always_inline]] void set(const wire::handler_entry& h, pe_id sender, std::span<const std::byte> packet) {
    handler = &h;
    from = sender;
    const std::size_t bytes = packet.size() < head.size() ? packet.size() : head.size();
    head_bytes = static_cast<std::uint32_t>(bytes);
    // Most packets are of a few words: a call of memcpy() would take longer than to copy them.
    std::size_t at = 0;
    for (; at + 8 <= bytes; at += 8) std::memcpy(&head[at], &packet[at], 8);
    for (; at < bytes; ++at) head[at] = packet[at];
  }

  // What can be done ahead of one like it; null: nothing.
  const wire::ahead_functions* ahead() const {
    const wire::ahead_functions* const known = handler->ahead;
    return known != nullptr && known->head_bytes <= head_bytes ? known : nullptr;
  }

  // Equal for messages of one handler that are executed in the same place; never 0.
  std::uint64_t id() const {
    const wire::ahead_functions* const known = ahead();
    const std::uint64_t place = known == nullptr ? 0 : known->key(from, head.data());
    const std::uint64_t x = detail::mix_bits(place + handler->number * 0x9e3779b97f4a7c15U);
    return x == 0 ? 1 : x;
  }
};

}  // namespace tsubu::message
