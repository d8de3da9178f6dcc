#include "apps/bounded_buffer/buffer.hpp"

#include <algorithm>

namespace bounded_buffer {

using namespace tsubu;

buffer::buffer(std::int64_t capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

task<void> buffer::serve(reply_to<void> serving) {
  serving.reply();
  const auto not_full = [this] { return has_room(); };
  const auto not_empty = [this] { return !items_.empty(); };
  const auto always = [] { return true; };
  while (!closed_) co_await accept<&buffer::put, &buffer::get, &buffer::close>(not_full, not_empty, always);
}

void buffer::put(item given) {
  items_.push_back(given);
  fullest_ = std::max(fullest_, items_.size());
}

std::optional<item> buffer::get() {
  if (items_.empty()) return std::nullopt;
  const item first = items_.front();
  items_.pop_front();
  return first;
}

void buffer::close() { closed_ = true; }

std::int64_t buffer::fullest() { return static_cast<std::int64_t>(fullest_); }

}  // namespace bounded_buffer
