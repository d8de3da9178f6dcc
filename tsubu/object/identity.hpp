// The name of a concurrent object, as it travels.
#pragma once

#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::objects {

struct identity {
  pe_id home = no_pe;     // the PE where it was created
  pe_id creator = no_pe;  // the PE that numbered it
  std::uint32_t number = 0;
  std::uint32_t generation = 0;  // of those that had the number
  bool operator==(const identity&) const = default;
};

struct identity_hash {
  std::size_t operator()(const identity& i) const {
    const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(i.home)) << 32 | i.number;
    const auto low = static_cast<std::uint64_t>(static_cast<std::uint32_t>(i.creator)) << 32 | i.generation;
    return static_cast<std::size_t>((high ^ (low * 0x9e3779b97f4a7c15)) * 0xbf58476d1ce4e5b9 >> 8);
  }
};

}  // namespace tsubu::objects
