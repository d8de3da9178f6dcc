// A first-in first-out queue of batches, chained by their `next`.
#pragma once

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class batch_queue {
 public:
  bool empty() const { return first_ == nullptr; }
  int size() const { return size_; }

  void push(batch* b) {
    b->next.store(nullptr, std::memory_order_relaxed);
    if (first_ == nullptr) {
      first_ = b;
    } else {
      last_->next.store(b, std::memory_order_relaxed);
    }
    last_ = b;
    ++size_;
  }

  batch* front() const { return first_; }

  // Null when empty.
  batch* pop() {
    batch* b = first_;
    if (b == nullptr) return nullptr;
    first_ = b->next.load(std::memory_order_relaxed);
    --size_;
    return b;
  }

 private:
  batch* first_ = nullptr;
  batch* last_ = nullptr;
  int size_ = 0;
};

}  // namespace tsubu::transport
