// The batches of all simulated PEs. A batch has room for what a PE gathers on a real machine, but of many PEs each has
// one with a packet or two under way, as in a barrier: what has left with no more than that moves to a small one.
#pragma once

#include <cstddef>
#include <vector>

#include "tsubu/transport/transport.hpp"

namespace tsubu::sim {

class batch_pool {
 public:
  // bytes: room of a batch, more than that of a small one.
  explicit batch_pool(std::size_t bytes) : bytes_(bytes) {}
  ~batch_pool();
  batch_pool(const batch_pool&) = delete;
  batch_pool& operator=(const batch_pool&) = delete;

  // An empty one.
  transport::batch* acquire() { return acquire(free_, bytes_); }
  // The same batch, or a small one with all that it holds; the other is free then.
  transport::batch* shrunk(transport::batch* b);
  void give_back(transport::batch* b) { (b->capacity == small_bytes ? small_free_ : free_).push_back(b); }

 private:
  static constexpr std::size_t small_bytes = 128;
  transport::batch* acquire(std::vector<transport::batch*>& free, std::size_t bytes);

  const std::size_t bytes_;
  std::vector<transport::batch*> all_;
  std::vector<transport::batch*> free_, small_free_;
};

}  // namespace tsubu::sim
