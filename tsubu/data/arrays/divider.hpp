// Division by the same number again and again, without the processor's division, which takes as long as a message.
//
// As compilers divide by constants (Granlund and Montgomery 1994): i / d is the upper half of 2i times a factor a
// little above 2^(63+s) / d, without its s lowest bits, where 2^s is the greatest power of two that is not above d. The
// excess of the product is below i / 2^(63+s), and does not reach the next quotient as long as that is at most 1 / d.
#pragma once

#include <bit>
#include <cstdint>

namespace tsubu::data {

class divider {
 public:
  divider() : divider(1) {}
  // By d, from 1 to 2^50.
  explicit divider(std::uint64_t d)
      : d_(d),
        shift_(static_cast<unsigned>(std::bit_width(d) - 1)),
        factor_(static_cast<std::uint64_t>((wide{1} << (63 + shift_)) / d + 1)) {}
  std::uint64_t by() const { return d_; }
  // i / d, of i < 2^50.
  [[gnu::always_inline]] std::uint64_t operator()(std::uint64_t i) const {
    return static_cast<std::uint64_t>(wide{2 * i} * factor_ >> 64) >> shift_;
  }

 private:
  __extension__ using wide = unsigned __int128;

  std::uint64_t d_;
  unsigned shift_;
  std::uint64_t factor_;
};

}  // namespace tsubu::data
