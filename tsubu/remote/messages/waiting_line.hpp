// Pointers to what waits for the answers of one PE, in the order in which they were asked for: first in, first out.
//
// Short pieces from the PE's pool, so that a line that never gets long stays in the cache, and that a pointer keeps its
// place: who no longer waits takes itself out by writing null there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tsubu/base/pool.hpp"

namespace tsubu::remote {

template <class T>
class waiting_line {
 public:
  waiting_line() = default;
  waiting_line(const waiting_line&) = delete;
  waiting_line& operator=(const waiting_line&) = delete;
  ~waiting_line() {
    while (first_ != nullptr) drop_first();
  }

  // Returns its place, which is there until it is taken.
  T** push(T* item) {
    if (tail_ == tail_end_) [[unlikely]]
      add_piece();
    *tail_ = item;
    return tail_++;
  }

  // Pushes `count` of them.
  void push(T* const* items, std::size_t count) {
    while (count != 0) {
      if (tail_ == tail_end_) add_piece();
      const std::size_t here = std::min<std::size_t>(count, static_cast<std::size_t>(tail_end_ - tail_));
      std::memcpy(tail_, items, here * sizeof *items);
      tail_ += here;
      items += here;
      count -= here;
    }
  }

  // Calls f(T** items, std::size_t) for the first `count` of them, piece by piece. There are that many.
  template <class F>
  void take(std::size_t count, F f) {
    taken_ += count;
    while (count != 0) {
      if (head_ == head_end_) drop_first();
      const std::size_t here = std::min<std::size_t>(count, static_cast<std::size_t>(head_end_ - head_));
      T** const items = head_;
      head_ += here;
      count -= here;
      f(items, here);
    }
  }

  // How many have been pushed and taken since the beginning.
  std::uint64_t pushed() const {
    return last_ == nullptr ? 0 : before_last_ + static_cast<std::uint64_t>(tail_ - last_->items);
  }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t size() const { return pushed() - taken_; }

 private:
  struct piece {
    static constexpr std::size_t size = (pool::largest - sizeof(void*)) / sizeof(T*);
    piece* next;
    T* items[size];
  };

  void add_piece() {
    auto* added = static_cast<piece*>(this_pool.allocate(sizeof(piece)));
    added->next = nullptr;
    if (last_ != nullptr) {
      last_->next = added;
      before_last_ += piece::size;
    } else {
      first_ = added;
      head_ = added->items;
      head_end_ = added->items + piece::size;
    }
    last_ = added;
    tail_ = added->items;
    tail_end_ = added->items + piece::size;
  }

  void drop_first() {
    piece* const next = first_->next;
    this_pool.free(first_, sizeof(piece));
    first_ = next;
    if (next == nullptr) return;
    head_ = next->items;
    head_end_ = next->items + piece::size;
  }

  T** tail_ = nullptr;
  T** tail_end_ = nullptr;
  T** head_ = nullptr;
  T** head_end_ = nullptr;
  piece* first_ = nullptr;
  piece* last_ = nullptr;
  std::uint64_t before_last_ = 0;  // pushed before the last piece
  std::uint64_t taken_ = 0;
};

}  // namespace tsubu::remote
