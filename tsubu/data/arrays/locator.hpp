// The home of an element and its number there, as a distribution tells them; for the usual ones with what can be
// computed beforehand.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "tsubu/base/types.hpp"
#include "tsubu/data/arrays/divider.hpp"
#include "tsubu/object/distribution.hpp"

namespace tsubu::data {

struct location {
  pe_id home;
  std::uint32_t number;
};

// What all elements of an array have in common.
class locator {
 public:
  locator(std::uint64_t size, pe_id pes)
      : size_(size),
        pes_(pes),
        by_pes_(static_cast<std::uint64_t>(pes)),
        larger_blocks_(size % by_pes_.by()),
        by_block_(size / by_pes_.by() == 0 ? 1 : size / by_pes_.by()),
        by_larger_(size / by_pes_.by() + 1),
        in_larger_(larger_blocks_ * by_larger_.by()) {}

  template <class D>
  [[gnu::always_inline]] location find(std::uint64_t index) const {
    if constexpr (std::same_as<D, by_block>) {
      if (index < in_larger_) {
        const std::uint64_t block = by_larger_(index);
        return {static_cast<pe_id>(block), static_cast<std::uint32_t>(index - block * by_larger_.by())};
      }
      const std::uint64_t rest = index - in_larger_, block = by_block_(rest);
      return {static_cast<pe_id>(larger_blocks_ + block), static_cast<std::uint32_t>(rest - block * by_block_.by())};
    } else if constexpr (std::same_as<D, by_cycle>) {
      const std::uint64_t number = by_pes_(index);
      return {static_cast<pe_id>(index - number * by_pes_.by()), static_cast<std::uint32_t>(number)};
    } else {
      return {D().home(index, size_, pes_), static_cast<std::uint32_t>(D().number(index, size_, pes_))};
    }
  }

 private:
  std::uint64_t size_;
  pe_id pes_;
  divider by_pes_;
  std::uint64_t larger_blocks_;  // the first PEs have one element more
  divider by_block_;
  divider by_larger_;
  std::uint64_t in_larger_;
};

}  // namespace tsubu::data
