#include "tsubu/eulash/text.hpp"

#include <algorithm>
#include <cstring>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/races.hpp"

namespace tsubu::placed {

private_range::private_range(const void* p, std::size_t n) : data_(static_cast<const char*>(p)) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  accesses(p, n, false);
  if (n == 0 || is_plain(address)) return;
  copy_.resize(n);
  copy_out(address, copy_.data(), n);
  data_ = copy_.data();
}

// Line by line: the next one may be nobody's memory.
std::string text_at(const char* p, std::size_t most) {
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  if (is_plain(begin)) return std::string(p, ::strnlen(p, most));
  std::string text;
  while (text.size() < most) {
    const std::uintptr_t at = begin + text.size();
    char line[EULASH_LINE];
    const std::size_t n = std::min<std::size_t>(EULASH_LINE - at % EULASH_LINE, most - text.size());
    copy_out(at, line, n);
    const std::size_t length = ::strnlen(line, n);
    text.append(line, length);
    if (length < n) break;
  }
  accesses(p, std::min(text.size() + 1, most), false);
  return text;
}

std::size_t length_at(const char* p, std::size_t most) {
  if (is_plain(reinterpret_cast<std::uintptr_t>(p))) return ::strnlen(p, most);
  return text_at(p, most).size();
}

void store_text(char* to, const std::string& text) {
  accesses(to, text.size() + 1, true);
  copy_in(reinterpret_cast<std::uintptr_t>(to), text.c_str(), text.size() + 1);
}

}  // namespace tsubu::placed
