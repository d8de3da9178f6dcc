#include "tsubu/base/pool.hpp"

#include <cstdlib>
#include <mutex>
#include <type_traits>

#include "tsubu/base/sanitized_program.hpp"

namespace tsubu {

// When a thread ends, what it had free goes to the depot, where the next thread's first refills find it.
// Blocks still in use stay valid: no chunk is ever unmapped.
struct pool_keeper {
  struct depot {
    std::mutex mutex;
    pool::free_block* free[pool::classes] = {};
  };
  // Nothing is left to destroy: threads may end after static destructors have begun.
  static depot shared;

  bool armed = false;
  ~pool_keeper() {
    if (!armed) return;
    const std::lock_guard lock(shared.mutex);
    for (std::size_t c = 0; c < pool::classes; ++c) {
      while (pool::free_block* block = this_pool.free_[c]) {
        this_pool.free_[c] = block->next;
        block->next = shared.free[c];
        shared.free[c] = block;
      }
    }
    this_pool.rest_ = this_pool.rest_end_ = nullptr;
  }

  // Moves all blocks of a class to this thread; says how many.
  static std::ptrdiff_t take(std::size_t size_class, pool::free_block*& to) {
    const std::lock_guard lock(shared.mutex);
    std::ptrdiff_t taken = 0;
    while (pool::free_block* block = shared.free[size_class]) {
      shared.free[size_class] = block->next;
      block->next = to;
      to = block;
      ++taken;
    }
    return taken;
  }
};

constinit pool_keeper::depot pool_keeper::shared;
static_assert(std::is_trivially_destructible_v<pool_keeper::depot>);

namespace {
thread_local pool_keeper this_keeper;
}

void* pool::refill(std::size_t size_class) {
  this_keeper.armed = true;
  const std::size_t bytes = (size_class == 0 ? 1 : size_class) * granule;
  if (static_cast<std::size_t>(rest_end_ - rest_) < bytes) {
    cut_ += pool_keeper::take(size_class, free_[size_class]);
    if (free_block* block = free_[size_class]) {
      free_[size_class] = block->next;
      return block;
    }
    if (sanitizer::has_address()) return allocate_large(bytes);
    // The old chunk's rest becomes a block of its own class.
    if (const std::size_t left = static_cast<std::size_t>(rest_end_ - rest_) / granule; left > 0) {
      free_[left] = new (rest_) free_block{free_[left]};
      ++cut_;
    }
    rest_ = static_cast<char*>(::operator new(chunk_size));
    rest_end_ = rest_ + chunk_size;
    chunk_bytes_ += chunk_size;
  }
  char* block = rest_;
  rest_ += bytes;
  ++cut_;
  return block;
}

void* pool::allocate_large(std::size_t bytes) {
  // Asked for by a program that is watched, and perhaps given to a list of this library's.
  if (!watched && bytes <= largest) bytes = class_of(bytes) * granule;
  void* at = std::malloc(bytes == 0 ? 1 : bytes);
  if (at == nullptr) throw std::bad_alloc();
  ++large_;
  return at;
}

void pool::free_large(void* at) noexcept {
  std::free(at);
  --large_;
}

pool_statistics pool::statistics() const {
  std::ptrdiff_t free_blocks = 0;
  for (const free_block* head : free_)
    for (; head != nullptr; head = head->next) ++free_blocks;
  return {cut_ - free_blocks + large_, chunk_bytes_};
}

}  // namespace tsubu
