#include "tsubu/sim/translation_buffer.hpp"

#include <algorithm>

namespace tsubu::sim {

bool translation_buffer::use(std::uint64_t page) {
  const auto found = std::find(pages_.rbegin(), pages_.rend(), page);
  const bool there = found != pages_.rend();
  if (there) {
    std::rotate(found.base() - 1, found.base(), pages_.end());
    ++hits_;
  } else {
    if (pages_.size() == entries_) pages_.erase(pages_.begin());
    pages_.push_back(page);
    ++misses_;
  }
  return there;
}

}  // namespace tsubu::sim
