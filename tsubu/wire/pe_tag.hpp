// The tag in front of a packet that travels over a grid of PEs: how its few bytes name a PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tsubu/base/types.hpp"

namespace tsubu::wire {

// A tag holds some bits of a PE's number; the others are known to whoever reads it.
struct pe_tag {
  std::uint32_t bytes = 0;  // 1, 2 or 4; 0: there is no tag
  int shift = 0;            // of the bits in the tag, within the number
  pe_id base = 0;           // the other bits

  static std::uint32_t read(const std::byte* at, std::uint32_t bytes) {
    if (bytes == 1) return static_cast<std::uint32_t>(*at);
    if (bytes == 2) {
      std::uint16_t two;
      std::memcpy(&two, at, sizeof two);
      return two;
    }
    std::uint32_t four;
    std::memcpy(&four, at, sizeof four);
    return four;
  }
  static void write(std::byte* at, std::uint32_t value, std::uint32_t bytes) {
    if (bytes == 1) {
      *at = static_cast<std::byte>(value);
    } else if (bytes == 2) {
      const auto two = static_cast<std::uint16_t>(value);
      std::memcpy(at, &two, sizeof two);
    } else {
      std::memcpy(at, &value, sizeof value);
    }
  }

  // The PE that the tag at `at` names. Its number may be too high, or negative, if the bytes are damaged.
  pe_id pe_at(const std::byte* at) const { return base | static_cast<pe_id>(read(at, bytes) << shift); }
};

}  // namespace tsubu::wire
