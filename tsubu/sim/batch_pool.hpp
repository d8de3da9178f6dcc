// The batches of all simulated PEs. A batch may have as much room as on a real machine, but of many PEs each gathers
// for many others, and most of that room would never be used: so a batch begins small, becomes larger as it fills, and
// leaves in one that is no larger than it has to be.
#pragma once

#include <cstddef>
#include <vector>

#include "tsubu/transport/transport.hpp"

namespace tsubu::sim {

class batch_pool {
 public:
  // bytes: the most room of a batch.
  explicit batch_pool(std::size_t bytes);
  ~batch_pool();
  batch_pool(const batch_pool&) = delete;
  batch_pool& operator=(const batch_pool&) = delete;

  // An empty one, of the smallest.
  transport::batch* acquire() { return take(0); }
  // One with room for `bytes`, and with the first `used` bytes of `b`: that one, or another, and then `b` is free.
  transport::batch* with_room_for(std::size_t bytes, transport::batch* b, std::size_t used);
  // The smallest that holds what `b` holds: that one, or another, and then `b` is free.
  transport::batch* shrunk(transport::batch* b);
  void give_back(transport::batch* b) { free_[size_class(b->capacity)].push_back(b); }

 private:
  static constexpr std::size_t smallest = 128;
  static std::size_t size_class(std::size_t bytes);
  std::size_t bytes_of(std::size_t of_class) const;
  transport::batch* take(std::size_t of_class);
  transport::batch* moved(transport::batch* b, std::size_t used, std::size_t to_class);

  const std::size_t most_;
  std::vector<transport::batch*> all_;
  std::vector<std::vector<transport::batch*>> free_;  // by class
};

}  // namespace tsubu::sim
