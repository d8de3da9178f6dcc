// The memory of a fiber's stack: mapped with a guard page below it, and kept for the next fiber when one has ended.
//
// Mapping a stack and touching its first pages costs thousands of times what starting a fiber may, so each thread keeps
// the stacks of ended fibers, by size, until it ends.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tsubu::detail {

class fiber_stack {
 public:
  fiber_stack() = default;

  // One of at least `bytes`, from this thread's ended fibers if there is one. Local; throws std::bad_alloc.
  static fiber_stack take(std::size_t bytes);
  // Somebody's own memory, whose lowest page is out of reach; who has it back is told when nothing runs on it any more.
  using returner = void (*)(void* bottom, std::size_t bytes);
  static fiber_stack of(void* bottom, std::size_t bytes, returner given_back);
  // For the next take() on this thread, or to whose it is. Nothing runs on it any more.
  void give_back() const;

  // Stacks begin at the same offset in their pages and would compete for the same cache sets: so their tops are spread
  // over a page. How far below its end the next one begins: less than a page.
  static std::size_t next_spread();

  void* bottom() const { return mapping_ + guard_bytes_; }
  std::size_t bytes() const { return mapping_bytes_ - guard_bytes_; }
  std::uintptr_t end() const { return reinterpret_cast<std::uintptr_t>(mapping_) + mapping_bytes_; }

 private:
  friend class fiber_stack_pool;

  char* mapping_ = nullptr;  // guard page first
  std::size_t mapping_bytes_ = 0;
  std::size_t guard_bytes_ = 0;
  returner given_back_ = nullptr;  // it is somebody's own
};

}  // namespace tsubu::detail
