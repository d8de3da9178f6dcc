// What PEs say to each other about blocks of shared arrays that one keeps for another (loans.hpp).
#pragma once

#include <cstdint>

#include "tsubu/data/arrays/loans.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::data {

// ---- from the PE whose block it is

struct ask_for_memory {
  using layout = wire::layout<std::uint32_t>;
  static void call(const message::delivery& d, std::uint32_t blocks);
};
struct keep_block {
  using layout = wire::layout<std::uint64_t, loans::contents>;
  static void call(const message::delivery& d, std::uint64_t number, loans::contents bytes);
};
struct want_block {
  using layout = wire::layout<std::uint64_t>;
  static void call(const message::delivery& d, std::uint64_t number);
};
struct forget_block {
  using layout = wire::layout<std::uint64_t>;
  static void call(const message::delivery& d, std::uint64_t number);
};

// ---- to it

struct memory_granted {
  using layout = wire::layout<std::uint32_t>;
  static void call(const message::delivery& d, std::uint32_t blocks);
};
// It was wanted, or there is no room for it any more.
struct block_back {
  using layout = wire::layout<std::uint64_t, bool, loans::contents>;
  static void call(const message::delivery& d, std::uint64_t number, bool has_room, loans::contents bytes);
};

}  // namespace tsubu::data
