// Memory for coroutine frames and other small states, which a fine-grained program takes and gives
// back at every step: malloc would cost more than the step itself.
//
// One free list per size class and thread. Taking and freeing a block are a few instructions, with
// no lock, and when the size is known at compile time the class folds to a constant.
//
// A block should be freed by the thread that took it (a PE is one thread). Freed by another it is
// not lost, it just changes hands. Memory goes back to the other threads when its thread ends, and
// never to the system.
//
// Under AddressSanitizer every block comes from malloc, so that it is watched. If the program's files
// are compiled with it and Tsubu's libraries are not, these do use the lists; but refill() has their
// blocks from malloc, so that each may be freed by either.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "tsubu/base/sanitizer.hpp"

namespace tsubu {

struct pool_statistics {
  std::ptrdiff_t live_blocks;  // taken by this thread and not freed by it, of any size
  std::size_t chunk_bytes;     // taken from the system for this thread's blocks
};

class pool {
 public:
  static constexpr std::size_t granule = 16;    // classes are multiples of this, which is also the alignment
  static constexpr std::size_t largest = 1024;  // larger blocks go to malloc
  static constexpr std::size_t chunk_size = 64 * 1024;
  static constexpr bool watched = TSUBU_ASAN != 0;

  constexpr pool() = default;
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  // At least `bytes` bytes, aligned to `granule`. Throws std::bad_alloc.
  [[gnu::always_inline]] void* allocate(std::size_t bytes) {
    if (watched || bytes > largest) return allocate_large(bytes);
    free_block*& head = free_[class_of(bytes)];
    free_block* block = head;
    if (block == nullptr) [[unlikely]]
      return refill(class_of(bytes));
    head = block->next;
    return block;
  }

  // `bytes` is what was asked for.
  [[gnu::always_inline]] void free(void* at, std::size_t bytes) noexcept {
    if (watched || bytes > largest) return free_large(at);
    free_block*& head = free_[class_of(bytes)];
    head = new (at) free_block{head};
  }

  // Walks the free lists: for tests and reports.
  pool_statistics statistics() const;

 private:
  friend struct pool_keeper;
  struct free_block {
    free_block* next;
  };
  static constexpr std::size_t classes = largest / granule + 1;
  static constexpr std::size_t class_of(std::size_t bytes) { return (bytes + granule - 1) / granule; }

  void* refill(std::size_t size_class);
  void* allocate_large(std::size_t bytes);
  void free_large(void* at) noexcept;

  free_block* free_[classes] = {};
  char* rest_ = nullptr;  // of the newest chunk: not yet cut into blocks
  char* rest_end_ = nullptr;
  std::ptrdiff_t cut_ = 0;  // blocks cut from chunks or taken over, in use or free
  std::ptrdiff_t large_ = 0;
  std::size_t chunk_bytes_ = 0;
};

// The pool of the running thread. It needs no PE: a plain thread has one as well.
inline thread_local constinit pool this_pool;

// new and delete through this_pool, for types that need no more alignment than it has.
template <class T, class... Args>
T* new_pooled(Args&&... args) {
  static_assert(alignof(T) <= pool::granule);
  void* at = this_pool.allocate(sizeof(T));
  try {
    return new (at) T(std::forward<Args>(args)...);
  } catch (...) {
    this_pool.free(at, sizeof(T));
    throw;
  }
}

template <class T>
void delete_pooled(T* object) noexcept {
  object->~T();
  this_pool.free(object, sizeof(T));
}

}  // namespace tsubu
