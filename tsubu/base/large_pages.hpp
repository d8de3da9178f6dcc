// Memory for tables that are jumped about in, in large pages where the system gives them.
//
//   std::vector<long, large_pages<long>> table(n);
//
// Beyond the reach of a core's address cache (some MiB in pages of 4 KiB) each random access walks the page tables
// first, and fetching ahead does not help: an update in a table of 4 GiB took 75 ns so, and 18 in large pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace tsubu {

// The size of a large page, on x86-64: 2 MiB.
inline constexpr std::size_t large_page_bytes = std::size_t{2} << 20;
inline constexpr std::size_t small_alignment = 128;

// Memory of a large page at least is aligned to one, and the system is asked to use them for it. Less: as by new.
// Local; does not block; throws std::bad_alloc.
inline void* allocate_in_large_pages(std::size_t bytes) {
  if (bytes < large_page_bytes) return ::operator new(bytes, std::align_val_t{small_alignment});
  void* memory = ::operator new(bytes, std::align_val_t{large_page_bytes});
  // Only a hint: where it is refused, pages are small.
  (void)::madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

// Gives back what allocate_in_large_pages(bytes) gave.
// Local; does not block; throws nothing.
inline void free_large_pages(void* memory, std::size_t bytes) {
  ::operator delete(memory, std::align_val_t{bytes < large_page_bytes ? small_alignment : large_page_bytes});
}

// An allocator for the containers of the standard library.
// Local; does not block; throws std::bad_alloc, or std::bad_array_new_length.
template <class T>
struct large_pages {
  static_assert(alignof(T) <= small_alignment);
  using value_type = T;
  large_pages() = default;
  template <class U>
  large_pages(const large_pages<U>&) {}
  // For n objects, as the containers call it.
  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_in_large_pages(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) { free_large_pages(p, n * sizeof(T)); }
  template <class U>
  bool operator==(const large_pages<U>&) const {
    return true;
  }
};

}  // namespace tsubu
