// A queue from many threads to one, which takes all that is there at a time: oldest first, chained by their own `next`.
#pragma once

#include <atomic>

namespace tsubu::transport::mpi {

template <class Item>
class mpsc_queue {
 public:
  void push(Item* item) {
    Item* top = top_.load(std::memory_order_relaxed);
    do {
      item->next.store(top, std::memory_order_relaxed);
    } while (!top_.compare_exchange_weak(top, item, std::memory_order_seq_cst, std::memory_order_relaxed));
  }

  bool empty() const { return top_.load(std::memory_order_seq_cst) == nullptr; }

  // Takes all of them out and calls f(item) on each. f may do with it what it likes.
  template <class F>
  void take(F f) {
    Item* newest = top_.exchange(nullptr, std::memory_order_acquire);
    Item* oldest = nullptr;
    while (newest != nullptr) {
      Item* before = newest->next.load(std::memory_order_relaxed);
      newest->next.store(oldest, std::memory_order_relaxed);
      oldest = newest;
      newest = before;
    }
    while (oldest != nullptr) {
      Item* item = oldest;
      oldest = item->next.load(std::memory_order_relaxed);
      f(item);
    }
  }

 private:
  std::atomic<Item*> top_{nullptr};
};

}  // namespace tsubu::transport::mpi
