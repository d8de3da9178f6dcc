// A bounded buffer with selective reception: while it is full it takes no put(), while it is empty no get(). Who sends
// one then waits in its queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "tsubu/tsubu.hpp"

namespace bounded_buffer {

struct item {
  std::int32_t producer = 0;
  std::int64_t number = 0;  // 0, 1, ... of its producer
};

class buffer : public tsubu::object<buffer> {
 public:
  explicit buffer(std::int64_t capacity);

  // Replies when it serves, and does so until close(). Then what is left can be taken, and after that get() gives
  // nothing.
  tsubu::task<void> serve(tsubu::reply_to<void> serving);

  void put(item given);
  std::optional<item> get();
  void close();
  // The most items that were in it.
  std::int64_t fullest();

 private:
  bool has_room() const { return items_.size() < capacity_; }

  std::size_t capacity_;
  std::deque<item> items_;
  std::size_t fullest_ = 0;
  bool closed_ = false;
};

}  // namespace bounded_buffer
