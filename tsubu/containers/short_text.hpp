// A text of at most 15 bytes as a value of fixed size: as such it travels in a few stores, where one that tells its own
// length is written and read byte by byte (docs/wire.md). Most words are as short.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tsubu::containers {

class short_text {
 public:
  static constexpr std::size_t most = 15;
  static bool fits(std::string_view text) { return text.size() <= most; }

  short_text() = default;
  // In two words of memory that overlap, where it has as many: a call to copy so few bytes takes longer.
  explicit short_text(std::string_view text) {
    const std::size_t n = text.size();
    if (n >= 8) {
      copy<8>(text.data(), 0);
      copy<8>(text.data(), n - 8);
    } else if (n >= 4) {
      copy<4>(text.data(), 0);
      copy<4>(text.data(), n - 4);
    } else {
      for (std::size_t i = 0; i < n; ++i) bytes_[i] = text[i];
    }
    bytes_[most] = static_cast<char>(n);
  }
  friend bool operator==(const short_text& a, const short_text& b) {
    std::array<std::uint64_t, 2> of_a{}, of_b{};
    std::memcpy(&of_a, &a, sizeof of_a);
    std::memcpy(&of_b, &b, sizeof of_b);
    return ((of_a[0] ^ of_b[0]) | (of_a[1] ^ of_b[1])) == 0;
  }
  // What came from elsewhere may say anything of its length: no more is read than there is.
  std::string_view view() const {
    return {bytes_.data(), static_cast<std::size_t>(static_cast<unsigned char>(bytes_[most])) & most};
  }

 private:
  template <std::size_t N>
  void copy(const char* text, std::size_t at) {
    std::memcpy(bytes_.data() + at, text + at, N);
  }

  std::array<char, most + 1> bytes_{};
};

}  // namespace tsubu::containers
