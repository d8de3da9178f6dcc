#include "tsubu/data/arrays/block_store.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::data {

block_store::~block_store() = default;

bool block_store::reserve(std::size_t bytes) {
  const auto fits = [&](std::size_t blocks) {
    const std::size_t used = reserved_ + blocks * block_bytes;
    return used <= limits_.memory_bytes && bytes <= limits_.memory_bytes - used;
  };
  if (!fits(in_memory_)) return false;
  while (!fits(in_memory_ + guests_)) others_->return_oldest_guest();
  reserved_ += bytes;
  return true;
}

std::size_t block_store::room_for_guests() const {
  const std::size_t used = in_memory_ + guests_;
  return most_blocks() - std::min(most_blocks(), used);
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

void block_store::write(block& b, std::span<const std::byte> contents) {
  if (file_ == nullptr) {
    file_ = std::make_unique<message::spill_file>(block_bytes, "shared arrays that do not fit in memory");
  }
  if (file_->bytes() + block_bytes > limits_.spill_bytes) {
    fail("the shared arrays of this PE do not fit: " + std::to_string(limits_.memory_bytes) +
         " bytes of memory (--tsubu-data-memory) and " + std::to_string(limits_.spill_bytes) +
         " bytes of file (--tsubu-data-spill) are used up");
  }
  b.in_file = file_->write(contents);
  ++written_;
}

detail::owned_array<std::byte> block_store::remove_oldest() {
  block& b = *oldest_;
  if (others_ == nullptr || b.under_way != 0 || !others_->lend(b)) write(b, {b.memory.get(), block_bytes});
  unlink(b);
  return std::move(b.memory);
}

detail::owned_array<std::byte> block_store::room_for_one() {
  const std::size_t most = std::max(least_blocks, most_blocks());
  while (guests_ != 0 && in_memory_ + guests_ >= most) others_->return_oldest_guest();
  if (in_memory_ >= most) return remove_oldest();
  ++in_memory_;
  if (others_ != nullptr && in_memory_ + least_blocks > most) others_->ask_for_room();
  return std::make_unique_for_overwrite<std::byte[]>(block_bytes);
}

bool block_store::bring(block& b) {
  require(b.loan == 0, "a block of a shared array is used while another PE has it");
  b.memory = room_for_one();
  add_to_front(b);
  if (!b.in_file) return true;
  file_->take(*b.in_file, {b.memory.get(), block_bytes});
  b.in_file.reset();
  ++read_;
  return false;
}

void block_store::take_back(block& b, std::span<const std::byte> contents, bool asked_for) {
  b.loan = 0;
  if (!asked_for && in_memory_ + guests_ >= std::max(least_blocks, most_blocks())) return write(b, contents);
  b.memory = room_for_one();
  add_to_front(b);
  std::ranges::copy(contents, b.memory.get());
}

void block_store::drop(block& b) {
  if (b.memory != nullptr) {
    unlink(b);
    --in_memory_;
    b.memory = {};
  } else if (b.in_file) {
    file_->give_free(*b.in_file);
    b.in_file.reset();
  } else if (b.loan != 0 && others_ != nullptr) {
    others_->forget(b);
    b.loan = 0;
  }
}

}  // namespace tsubu::data
