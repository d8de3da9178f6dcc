// Ranges and texts in shared memory, or wherever a program has them, for functions that want private memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tsubu::placed {

// n bytes from there, as private memory: where they are, if they can be used there, or in a copy.
class private_range {
 public:
  private_range(const void* p, std::size_t n);
  const char* data() const { return data_; }

 private:
  std::vector<char> copy_;
  const char* data_;
};

// A text that ends with a zero, or after `most` bytes. May wait.
std::string text_at(const char* p, std::size_t most = ~std::size_t{0});
std::size_t length_at(const char* p, std::size_t most = ~std::size_t{0});
// The text and the zero behind it.
void store_text(char* to, const std::string& text);

}  // namespace tsubu::placed
