#include "tsubu/data/block_store.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::data {

block_store::~block_store() = default;

bool block_store::reserve(std::size_t bytes) {
  const std::size_t used = reserved_ + in_memory_ * block_bytes;
  if (used > limits_.memory_bytes || bytes > limits_.memory_bytes - used) return false;
  reserved_ += bytes;
  return true;
}

void block_store::add_to_front(block& b) {
  b.newer = nullptr;
  b.older = newest_;
  (newest_ != nullptr ? newest_->newer : oldest_) = &b;
  newest_ = &b;
}

void block_store::unlink(block& b) {
  (b.newer != nullptr ? b.newer->older : newest_) = b.older;
  (b.older != nullptr ? b.older->newer : oldest_) = b.newer;
}

void block_store::move_to_front(block& b) {
  unlink(b);
  add_to_front(b);
}

void block_store::write_oldest() {
  block& b = *oldest_;
  if (file_ == nullptr) {
    file_ = std::make_unique<message::spill_file>(block_bytes, "shared arrays that do not fit in memory");
  }
  if (file_->bytes() + block_bytes > limits_.spill_bytes) {
    fail("the shared arrays of this PE do not fit: " + std::to_string(limits_.memory_bytes) +
         " bytes of memory (--tsubu-data-memory) and " + std::to_string(limits_.spill_bytes) +
         " bytes of file (--tsubu-data-spill) are used up");
  }
  b.in_file = file_->write({b.memory.get(), block_bytes});
  ++written_;
  unlink(b);
}

bool block_store::bring(block& b) {
  const std::size_t room = limits_.memory_bytes - std::min(limits_.memory_bytes, reserved_);
  if (in_memory_ >= std::max(least_blocks, room / block_bytes)) {
    block& out = *oldest_;
    write_oldest();
    b.memory = std::move(out.memory);
  } else {
    b.memory = std::make_unique_for_overwrite<std::byte[]>(block_bytes);
    ++in_memory_;
  }
  add_to_front(b);
  if (!b.in_file) return true;
  file_->take(*b.in_file, {b.memory.get(), block_bytes});
  b.in_file.reset();
  ++read_;
  return false;
}

void block_store::drop(block& b) {
  if (b.memory != nullptr) {
    unlink(b);
    --in_memory_;
    b.memory.reset();
  } else if (b.in_file) {
    file_->give_free(*b.in_file);
    b.in_file.reset();
  }
}

}  // namespace tsubu::data
