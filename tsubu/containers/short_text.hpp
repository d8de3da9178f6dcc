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
  explicit short_text(std::string_view text) {
    std::memcpy(bytes_.data(), text.data(), text.size());
    bytes_[most] = static_cast<char>(text.size());
  }
  // What came from elsewhere may say anything of its length: no more is read than there is.
  std::string_view view() const {
    return {bytes_.data(), static_cast<std::size_t>(static_cast<unsigned char>(bytes_[most])) & most};
  }

 private:
  std::array<char, most + 1> bytes_{};
};

}  // namespace tsubu::containers
