// The values of the elements of an array whose home is this PE: all in memory, or in blocks of which some are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/data/arrays/block_store.hpp"
#include "tsubu/wire/value.hpp"

namespace tsubu::data {

// What is known of them without their type.
class blocks_of_values {
 public:
  blocks_of_values(const blocks_of_values&) = delete;
  blocks_of_values& operator=(const blocks_of_values&) = delete;

  bool all_in_memory() const { return blocks_.empty(); }
  // Only of an array that is not all in memory.
  block_store::block& block_of(std::uint64_t number) { return blocks_[number / in_a_block_]; }

 protected:
  blocks_of_values(block_store& store, std::uint64_t in_a_block) : store_(store), in_a_block_(in_a_block) {}
  ~blocks_of_values() {
    for (block_store::block& b : blocks_) store_.drop(b);
  }

  block_store& store_;
  std::vector<block_store::block> blocks_;

 private:
  const std::uint64_t in_a_block_;
};

template <class T>
class element_values final : public blocks_of_values {
 public:
  element_values(block_store& store, std::uint64_t count, const T& initial)
      : blocks_of_values(store, in_a_block), count_(count) {
    if (store.reserve(count * sizeof(T))) {
      all_ = std::make_unique<T[]>(count);
      std::fill_n(all_.get(), count, initial);
    } else if constexpr (fits_blocks) {
      initial_ = std::make_unique<T>(initial);
      blocks_.resize((count + in_a_block - 1) / in_a_block);
    } else {
      fail(
          "the part of a shared array a PE has needs " + std::to_string(count * sizeof(T)) +
          " bytes of memory, and --tsubu-data-memory leaves less: only elements that travel as their bytes, of up to " +
          std::to_string(block_store::block_bytes) + " bytes, can go to a file");
    }
  }
  ~element_values() {
    if (all_ != nullptr) store_.release(count_ * sizeof(T));
  }

  // Null if another PE has it. Else until another value of an array that is not all in memory is asked for.
  [[gnu::always_inline]] T* find(std::uint64_t number) {
    if (all_ != nullptr) [[likely]]
      return &all_[number];
    return in_blocks(number);
  }
  // By their numbers; null if they are in blocks.
  T* if_all_in_memory() { return all_.get(); }
  // No other PE has it.
  [[gnu::always_inline]] T& operator[](std::uint64_t number) {
    T* value = find(number);
    require(value != nullptr, "element number {} of a shared array is used while another PE has its block", number);
    return *value;
  }

 private:
  static constexpr bool fits_blocks = wire::plain<T> && sizeof(T) <= block_store::block_bytes;
  static constexpr std::uint64_t in_a_block = std::max<std::uint64_t>(1, block_store::block_bytes / sizeof(T));

  [[gnu::noinline]] T* in_blocks(std::uint64_t number) {
    block_store::block& b = block_of(number);
    if (b.memory != nullptr) {
      store_.touch(b);
      return reinterpret_cast<T*>(b.memory.get()) + number % in_a_block;
    }
    if (b.loan != 0) return nullptr;
    const bool is_new = store_.bring(b);
    T* const values = reinterpret_cast<T*>(b.memory.get());
    if (is_new) std::uninitialized_fill_n(values, in_a_block, *initial_);
    return values + number % in_a_block;
  }

  const std::uint64_t count_;
  std::unique_ptr<T[]> all_;
  std::unique_ptr<T> initial_;
};

}  // namespace tsubu::data
