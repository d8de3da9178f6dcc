// The batches of a rank that are in nobody's hands. It grows; last in, first out, so that a lone message always finds
// its buffer in the cache.
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class batch_pool {
 public:
  explicit batch_pool(std::size_t batch_bytes) : batch_bytes_(batch_bytes) {}
  batch_pool(const batch_pool&) = delete;
  batch_pool& operator=(const batch_pool&) = delete;
  ~batch_pool() {
    for (void* memory : all_) std::free(memory);
  }

  batch* take() {
    if (free_.empty()) [[unlikely]]
      return grow();
    batch* b = free_.back();
    free_.pop_back();
    return b;
  }

  void put(batch* b) { free_.push_back(b); }

  std::size_t bytes_in_use() const { return (all_.size() - free_.size()) * memory_bytes(batch_bytes_); }
  std::size_t bytes_allocated() const { return all_.size() * memory_bytes(batch_bytes_); }

 private:
  static constexpr std::size_t line = 64;

  batch* grow() {
    const std::size_t bytes = (memory_bytes(batch_bytes_) + line - 1) / line * line;
    void* memory = std::aligned_alloc(line, bytes);
    check(memory != nullptr, "out of memory for batches");
    all_.push_back(memory);
    batch* b = new (memory) batch;
    b->capacity = static_cast<std::uint32_t>(batch_bytes_);
    return b;
  }

  std::size_t batch_bytes_;
  std::vector<batch*> free_;
  std::vector<void*> all_;
};

}  // namespace tsubu::transport::mpi
