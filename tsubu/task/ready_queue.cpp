#include "tsubu/task/ready_queue.hpp"

#include <utility>

namespace tsubu {

ready_queue::ready_queue() {
  head_block_ = tail_block_ = block::make(block::first_size);
  head_ = tail_ = head_block_->begin();
  tail_end_ = tail_block_->end();
}

ready_queue::~ready_queue() {
  block::drop(spare_block_);
  while (head_block_ != nullptr) block::drop(std::exchange(head_block_, head_block_->next));
}

ready_queue::block* ready_queue::block::make(std::size_t size) {
  return new (::operator new(sizeof(block) + size * sizeof(ready_item))) block{nullptr, size};
}

void ready_queue::push_slowly(ready_item item) {
  if (push(item)) return;
  if (head_ == tail_ && tail_block_->size == block::first_size && rewinds_left_-- > 0) {
    head_ = tail_ = tail_block_->begin();
    *tail_++ = item;
    return;
  }
  block* added = std::exchange(spare_block_, nullptr);
  if (added == nullptr) added = block::make(block::usual_size);
  added->next = nullptr;
  tail_block_->next = added;
  tail_block_ = added;
  tail_ = added->begin();
  *tail_++ = item;
  tail_end_ = added->end();
}

void ready_queue::next_block() {
  block* done = std::exchange(head_block_, head_block_->next);
  head_ = head_block_->begin();
  if (done->size == block::usual_size) std::swap(spare_block_, done);
  block::drop(done);
}

}  // namespace tsubu
