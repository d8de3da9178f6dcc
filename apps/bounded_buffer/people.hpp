// Those who use the buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/bounded_buffer/buffer.hpp"
#include "tsubu/tsubu.hpp"

namespace bounded_buffer {

class producer : public tsubu::object<producer> {
 public:
  producer(tsubu::ref<buffer> to, std::int32_t number) : to_(to), number_(number) {}

  // Puts as many items, each when the one before is in.
  tsubu::task<void> produce(std::int64_t items);

 private:
  tsubu::ref<buffer> to_;
  std::int32_t number_;
};

// What consumers have taken.
struct taken {
  std::int64_t items = 0;
  std::int64_t numbers = 0;       // their sum
  std::int64_t out_of_order = 0;  // came after a later one of the same producer
};

class consumer : public tsubu::object<consumer> {
 public:
  consumer(tsubu::ref<buffer> from, std::int32_t producers);

  // Until the buffer is closed and empty.
  tsubu::task<taken> consume();

 private:
  tsubu::ref<buffer> from_;
  std::vector<std::int64_t> last_;  // taken of each producer
};

}  // namespace bounded_buffer
