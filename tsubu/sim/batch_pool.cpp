#include "tsubu/sim/batch_pool.hpp"

#include <cstring>
#include <new>

namespace tsubu::sim {

using transport::batch;

batch_pool::~batch_pool() {
  for (batch* b : all_) {
    b->~batch();
    ::operator delete(b, std::align_val_t{64});
  }
}

batch* batch_pool::acquire(std::vector<batch*>& free, std::size_t bytes) {
  if (free.empty()) {
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

batch* batch_pool::shrunk(batch* b) {
  if (b->size > small_bytes || b->capacity == small_bytes) return b;
  batch* const small = acquire(small_free_, small_bytes);
  small->from = b->from;
  small->to = b->to;
  small->size = b->size;
  std::memcpy(small->data(), b->data(), b->size);
  give_back(b);
  return small;
}

}  // namespace tsubu::sim
