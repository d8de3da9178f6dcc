// What spawn_fiber() and its like throw where the system has no stack for another fiber: a std::bad_alloc whose text
// says which limit was met, and how to raise it. It keeps its type from PE to PE.
#pragma once

#include <algorithm>
#include <array>
#include <new>
#include <string>

namespace tsubu::detail {

class no_fiber_stack : public std::bad_alloc {
 public:
  explicit no_fiber_stack(const std::string& text) {
    std::copy_n(text.data(), std::min(text.size(), text_.size() - 1), text_.data());
  }
  const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 512> text_{};  // copied without an allocation, as exceptions are to be
};

}  // namespace tsubu::detail
