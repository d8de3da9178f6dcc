// Memory that is made for other PEs to reach: a segment of values of one type, and its end.
#pragma once

#include <cstdint>
#include <memory>

#include "tsubu/base/large_pages.hpp"
#include "tsubu/remote/memory/segments.hpp"

namespace tsubu::remote {

// As segment_table's, on the PE that runs this.
segment_id add_segment(void* base, std::size_t bytes, void (*destroy)(void* base, std::size_t bytes));
void drop_segment(segment_id id, pe_id who);

// `count` value-initialised T, which are destroyed when the segment is dropped.
template <class T>
segment_id make_segment(std::uint64_t count) {
  const auto give_back = [count](T* memory) { large_pages<T>().deallocate(memory, count); };
  std::unique_ptr<T, decltype(give_back)> memory(large_pages<T>().allocate(count), give_back);
  std::uninitialized_value_construct_n(memory.get(), count);
  return add_segment(memory.release(), count * sizeof(T), [](void* p, std::size_t bytes) {
    std::destroy_n(static_cast<T*>(p), bytes / sizeof(T));
    free_large_pages(p, bytes);
  });
}

}  // namespace tsubu::remote
