// The name of a concurrent object, as it travels.
#pragma once

#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::objects {

// 12 bytes. A packet to its home carries 8 of them: what a message costs between two cores is its bytes.
struct identity {
  static constexpr std::uint32_t most_number = (std::uint32_t{1} << 28) - 1;
  static constexpr std::uint32_t most_creator = (std::uint32_t{1} << 20) - 1;
  static constexpr std::uint32_t most_generation = (std::uint32_t{1} << 12) - 1;

  // What travels to the home.
  struct words {
    std::uint32_t number;
    std::uint32_t creator_and_generation;
  };

  constexpr identity() = default;
  constexpr identity(pe_id at, pe_id by, std::uint32_t n, std::uint32_t g)
      : home(at), number(n), creator_and_generation(static_cast<std::uint32_t>(by) << 12 | g) {}
  constexpr identity(pe_id at, words w) : home(at), number(w.number), creator_and_generation(w.creator_and_generation) {}

  constexpr words to_home() const { return {number, creator_and_generation}; }
  constexpr pe_id creator() const { return static_cast<pe_id>(creator_and_generation >> 12); }  // who numbered it
  constexpr std::uint32_t generation() const { return creator_and_generation & most_generation; }  // of that number
  bool operator==(const identity&) const = default;

  pe_id home = no_pe;  // where it was created
  std::uint32_t number = 0;
  std::uint32_t creator_and_generation = 0;
};
static_assert(sizeof(identity) == 12);

struct identity_hash {
  std::size_t operator()(const identity& i) const {
    const auto low = static_cast<std::uint64_t>(static_cast<std::uint32_t>(i.home)) << 32 | i.number;
    return static_cast<std::size_t>((low ^ i.creator_and_generation * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 >> 8);
  }
};

}  // namespace tsubu::objects
