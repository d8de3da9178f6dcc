// A line for the standard error that is put together in a signal handler: without an allocation, and by what is safe
// there (signal-safety(7)).
#pragma once

#include <unistd.h>

#include <array>
#include <concepts>
#include <cstddef>

namespace tsubu {

class signal_line {
 public:
  // What does not fit is left out.
  signal_line& operator<<(const char* text) {
    while (*text != '\0' && size_ + 1 < text_.size()) text_[size_++] = *text++;
    return *this;
  }
  template <std::integral N>
  signal_line& operator<<(N number) {
    return digits(number < 0 ? 0 - static_cast<unsigned long long>(number) : static_cast<unsigned long long>(number),
                  10, number < 0 ? "-" : "");
  }
  signal_line& hex(unsigned long long number) { return digits(number, 16, "0x"); }

  // Ends with a null character.
  const char* text() const { return text_.data(); }

  void print() const {
    if (::write(STDERR_FILENO, text_.data(), size_) < 0) return;  // a line that nobody can read is none
  }

 private:
  signal_line& digits(unsigned long long number, unsigned base, const char* prefix) {
    std::array<char, 24> shown{};
    std::size_t first = shown.size() - 1;
    do {
      shown[--first] = "0123456789abcdef"[number % base];
      number /= base;
    } while (number != 0);
    return *this << prefix << &shown[first];
  }

  std::array<char, 512> text_{};
  std::size_t size_ = 0;
};

}  // namespace tsubu
