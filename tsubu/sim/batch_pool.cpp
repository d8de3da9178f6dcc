#include "tsubu/sim/batch_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace tsubu::sim {

using transport::batch;

batch_pool::batch_pool(std::size_t bytes) : most_(bytes), free_(size_class(bytes) + 1) {}

batch_pool::~batch_pool() {
  for (batch* b : all_) {
    b->~batch();
    ::operator delete(b, std::align_val_t{64});
  }
}

// 128, 192, 256, 384, 512, ... bytes.
std::size_t batch_pool::size_class(std::size_t bytes) {
  if (bytes <= smallest) return 0;
  const auto doublings = static_cast<std::size_t>(std::bit_width((bytes - 1) / smallest));
  return 2 * doublings - (bytes <= smallest / 4 * 3 << doublings ? 1 : 0);
}

std::size_t batch_pool::bytes_of(std::size_t of_class) const {
  const std::size_t power = smallest << (of_class + 1) / 2;
  return std::min(of_class % 2 == 0 ? power : power / 4 * 3, most_);
}

batch* batch_pool::take(std::size_t of_class) {
  std::vector<batch*>& free = free_[of_class];
  if (free.empty()) {
    const std::size_t bytes = bytes_of(of_class);
    void* memory = ::operator new(sizeof(batch) + bytes, std::align_val_t{64});
    all_.push_back(new (memory) batch);
    all_.back()->capacity = static_cast<std::uint32_t>(bytes);
    free.push_back(all_.back());
  }
  batch* const b = free.back();
  free.pop_back();
  b->size = 0;
  b->bulk_bytes = 0;
  return b;
}

batch* batch_pool::moved(batch* b, std::size_t used, std::size_t to_class) {
  batch* const other = take(to_class);
  other->from = b->from;
  other->to = b->to;
  other->size = b->size;
  std::memcpy(other->data(), b->data(), used);
  give_back(b);
  return other;
}

batch* batch_pool::with_room_for(std::size_t bytes, batch* b, std::size_t used) {
  return b->capacity >= bytes ? b : moved(b, used, size_class(bytes));
}

batch* batch_pool::shrunk(batch* b) {
  const std::size_t enough = size_class(b->size);
  return enough == size_class(b->capacity) ? b : moved(b, b->size, enough);
}

}  // namespace tsubu::sim
