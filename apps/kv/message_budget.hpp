// How many bytes of requests to other PEs, and of their replies, a PE has on the way at a time. What is on the way does
// not wait for clients, so whoever waits here goes on soon, whatever they do. First come, first served.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include "tsubu/task/future.hpp"

namespace kv {

class message_budget {
 public:
  explicit message_budget(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // False: there is no room now. What is larger than all there is may go when nothing else is on the way.
  bool take(std::size_t bytes) {
    if (!waiting_.empty() || !has_room(bytes)) return false;
    used_bytes_ += bytes;
    return true;
  }

  // Ready when the bytes are taken. Who waits must have nothing on the way itself.
  tsubu::future<void> wait(std::size_t bytes) {
    waiting_.push_back({bytes, {}});
    tsubu::future<void> later = waiting_.back().taken.get_future();
    serve();
    return later;
  }

  void give_back(std::size_t bytes) {
    used_bytes_ -= bytes;
    if (!waiting_.empty()) serve();
  }

  std::size_t used_bytes() const { return used_bytes_; }

 private:
  struct waiter {
    std::size_t bytes;
    tsubu::promise<void> taken;
  };

  bool has_room(std::size_t bytes) const { return used_bytes_ == 0 || used_bytes_ + bytes <= most_bytes_; }
  void serve() {
    while (!waiting_.empty() && has_room(waiting_.front().bytes)) {
      used_bytes_ += waiting_.front().bytes;
      const waiter served = std::move(waiting_.front());
      waiting_.pop_front();
      served.taken.set_value();
    }
  }

  const std::size_t most_bytes_;
  std::size_t used_bytes_ = 0;
  std::deque<waiter> waiting_;
};

}  // namespace kv
