// The tasks and fibers of a PE that can go on, in the order in which they became so.
//
// Every wake-up and every start of a task adds an item here, so that must cost one comparison and one store, and the
// loop that runs them must not chase pointers. The queue is a chain of blocks: items never move, adding one tests one
// pointer, and those of a block stand side by side. The first block is small, since of the PEs of a simulated machine
// most have few tasks.
//
// A queue can be closed while another order is in charge: push() then refuses, by the test that it makes anyway.
#pragma once

#include <cstddef>
#include <new>

#include "tsubu/task/scheduler.hpp"

namespace tsubu {

class ready_queue {
 public:
  ready_queue();
  ~ready_queue();
  ready_queue(const ready_queue&) = delete;
  ready_queue& operator=(const ready_queue&) = delete;

  bool empty() const { return head_ == tail_; }
  // push() would refuse.
  bool full() const { return tail_ == tail_end_; }

  // Adds an item at the end. False, and nothing is added, if the last block is full or the queue is closed.
  bool push(ready_item item) {
    if (tail_ == tail_end_) [[unlikely]]
      return false;
    *tail_ = item;
    ++tail_;
    return true;
  }
  // As push(), and finds room where there is none. Not while the queue is closed.
  void push_slowly(ready_item item);

  // The oldest item; the queue is not empty.
  ready_item front() {
    if (head_ == head_block_->end()) [[unlikely]]
      next_block();
    return *head_;
  }
  // Takes out what front() has just given.
  void pop_front() { ++head_; }

  // Up to `most` items from the front on that stand side by side; the queue is not empty. Each is taken out by
  // take_until() before it runs. Others may push meanwhile; nobody else may take.
  struct row {
    ready_item* begin;
    ready_item* end;
  };
  row front_row(int most) {
    if (head_ == head_block_->end()) next_block();
    ready_item* end = head_block_ == tail_block_ ? tail_ : head_block_->end();
    if (end - head_ > most) end = head_ + most;
    return {head_, end};
  }
  void take_until(ready_item* at) { head_ = at; }

  // How many items there are, up to those of two blocks: some hundred.
  int count_near() const {
    if (head_ == tail_) return 0;
    if (head_block_ == tail_block_) return static_cast<int>(tail_ - head_);
    block* const next = head_block_->next;
    return static_cast<int>((head_block_->end() - head_) +
                            ((next == tail_block_ ? tail_ : next->end()) - next->begin()));
  }

  // From close() to open() the queue refuses items. It is empty at both.
  void close() { tail_end_ = tail_; }
  void open() { tail_end_ = tail_block_->end(); }

 private:
  struct block {
    static constexpr std::size_t usual_size = 254, first_size = 14;
    static block* make(std::size_t size);
    static void drop(block* b) { ::operator delete(b); }
    ready_item* begin() { return reinterpret_cast<ready_item*>(this + 1); }
    ready_item* end() { return begin() + size; }
    block* next;
    std::size_t size;
  };

  void next_block();  // head_ is at the end of its block, and there is another

  // head_ <= tail_ <= tail_end_ along the chain from head_block_ to tail_block_; empty if head_ == tail_.
  // tail_end_ is the end of tail_block_, or tail_ while the queue is closed.
  ready_item* tail_;
  ready_item* tail_end_;
  ready_item* head_;
  block* head_block_;
  block* tail_block_;
  block* spare_block_ = nullptr;  // of the usual size: the last that was emptied
  // How often the first block may still be filled anew when it is empty; then the PE runs many tasks, and gets a block
  // of the usual size.
  int rewinds_left_ = 64;
};

}  // namespace tsubu
