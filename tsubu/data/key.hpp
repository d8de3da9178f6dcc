// The name of a shared variable, as it travels: one word.
//
// A variable by itself: its home, a slot there, and a generation, so that the name of one that has ended finds nobody.
// An element of an array: the number of the array, which is the same on all PEs, and its index.
#pragma once

#include <cstdint>

#include "tsubu/base/types.hpp"

namespace tsubu::data {

class key {
 public:
  static constexpr int slot_bits = 24, generation_bits = 15, index_bits = 40;
  static constexpr std::uint32_t most_slots = 1U << slot_bits;              // variables of a PE at a time
  static constexpr std::uint32_t most_generations = 1U << generation_bits;  // in a slot, which then retires
  static constexpr std::uint64_t most_elements = std::uint64_t{1} << index_bits;
  static constexpr std::uint32_t most_arrays = 1U << 23;  // of a job

  constexpr key() = default;
  static constexpr key of_variable(pe_id home, std::uint32_t slot, std::uint32_t generation) {
    return key(std::uint64_t{static_cast<std::uint32_t>(home)} << (slot_bits + generation_bits) |
               std::uint64_t{generation} << slot_bits | slot);
  }
  static constexpr key of_element(std::uint32_t array, std::uint64_t index) {
    return key(element_bit | std::uint64_t{array} << index_bits | index);
  }

  static constexpr key of_bits(std::uint64_t bits) { return key(bits); }

  constexpr bool is_element() const { return (bits_ & element_bit) != 0; }

  // Variables only.
  constexpr pe_id home() const { return static_cast<pe_id>(bits_ >> (slot_bits + generation_bits)); }
  constexpr std::uint32_t generation() const { return bits_ >> slot_bits & (most_generations - 1); }
  constexpr std::uint32_t slot() const { return bits_ & (most_slots - 1); }

  // Elements only.
  constexpr std::uint32_t array() const { return bits_ >> index_bits & (most_arrays - 1); }
  constexpr std::uint64_t index() const { return bits_ & (most_elements - 1); }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool operator==(const key&) const = default;

 private:
  static constexpr std::uint64_t element_bit = std::uint64_t{1} << 63;
  constexpr explicit key(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = ~std::uint64_t{0};  // of nobody
};

}  // namespace tsubu::data
