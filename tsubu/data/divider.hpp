// Division by the same number again and again, without the processor's division, which takes as long as a message.
#pragma once

#include <cstdint>

namespace tsubu::data {

class divider {
 public:
  divider() = default;
  // By d, 1 or more.
  explicit divider(std::uint64_t d) : d_(d), reciprocal_(1.0 / static_cast<double>(d)) {}

  std::uint64_t by() const { return d_; }
  // i / d, of i < 2^50: the product is off by less than one, which is put right.
  [[gnu::always_inline]] std::uint64_t operator()(std::uint64_t i) const {
    auto q = static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(i)) * reciprocal_);
    const auto rest = static_cast<std::int64_t>(i) - q * static_cast<std::int64_t>(d_);
    q += rest < 0 ? -1 : (rest >= static_cast<std::int64_t>(d_) ? 1 : 0);
    return static_cast<std::uint64_t>(q);
  }

 private:
  std::uint64_t d_ = 1;
  double reciprocal_ = 1;
};

}  // namespace tsubu::data
