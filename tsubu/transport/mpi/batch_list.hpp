// A first-in first-out list of batches, chained by their own `next`.
#pragma once

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class batch_list {
 public:
  bool empty() const { return first_ == nullptr; }
  batch* front() const { return first_; }

  void push(batch* b) {
    link(b, nullptr);
    if (first_ == nullptr) {
      first_ = b;
    } else {
      link(last_, b);
    }
    last_ = b;
  }

  batch* pop() {
    batch* b = first_;
    first_ = b->next.load(std::memory_order_relaxed);
    link(b, nullptr);
    return b;
  }

 private:
  // Relaxed: only one PE sees these lists.
  static void link(batch* b, batch* next) { b->next.store(next, std::memory_order_relaxed); }

  batch* first_ = nullptr;
  batch* last_ = nullptr;  // of a list that is not empty
};

}  // namespace tsubu::transport::mpi
