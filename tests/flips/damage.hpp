// What is done to the bytes of one batch on the way: a bit is flipped, a byte or a few are overwritten, or its end is
// cut off.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>

#include "tsubu/transport/transport.hpp"

namespace tsubu::test {

struct damage {
  std::uint64_t at_batch = 0;
  std::mt19937_64 random;
  bool told = false;  // on the standard error
  bool done = false;

  void operator()(transport::batch& b, std::span<std::byte> part) {
    if (done || part.empty() || at_batch-- != 0) return;
    done = true;
    if (told) tell(b, part, "before");
    harm(b, part);
    if (told) tell(b, part, "after");
  }

 private:
  static void tell(const transport::batch& b, std::span<const std::byte> part, const char* when) {
    std::fprintf(stderr, "from PE %d to PE %d, %s, %u bytes:", b.from, b.to, when, b.size);
    for (const std::byte one : part.first(std::min<std::size_t>(part.size(), 256))) {
      std::fprintf(stderr, " %02x", static_cast<unsigned>(one));
    }
    std::fprintf(stderr, "\n");
  }
  void harm(transport::batch& b, std::span<std::byte> part) {
    const std::size_t at = random() % part.size();
    const bool has_length = part.data() == b.data();
    switch (random() % 4) {
      case 0:
        if (has_length) {
          b.size = static_cast<std::uint32_t>(at);
          return;
        }
        [[fallthrough]];
      case 1:
        for (std::size_t i = at; i < std::min(part.size(), at + 1 + random() % 8); ++i) {
          part[i] ^= static_cast<std::byte>(1 + random() % 255);
        }
        return;
      default:
        part[at] ^= static_cast<std::byte>(1U << (random() % 8));
    }
  }
};

}  // namespace tsubu::test
