// Between Python's memory and the parts of an array, where PEs are other processes: by PE 0, which alone has Python's
// memory, in pieces. What comes back is asked for some pieces ahead.
#pragma once

#include <cstddef>
#include <cstdint>

#include "python/native/arrays.hpp"
#include "python/native/by_index.hpp"
#include "python/native/job.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::python {

// Whether all PEs are threads of this process, which reach Python's memory and each other's.
inline bool memory_is_shared() { return remote::current_pe->transport().pes_per_process() == pe_count(); }

// The elements of a slice that are in a part, which has so many from `first` on: their numbers in the slice.
struct in_slice {
  std::size_t begin, end;
};
in_slice part_of_slice(const slice& s, std::size_t first, std::size_t count);

// Writes to a slice of array `id`, until `of` is cancelled. By PE 0; ends when all is sent.
template <class T>
task<void> send_slice(const command& of, std::uint64_t id, slice to, source<T> from);
// to[k] becomes element k of the slice. By PE 0.
template <class T>
task<void> fetch_slice(const command& of, std::uint64_t id, slice from, T* to);
// to[k] becomes the element which[k]. By PE 0.
template <class T>
task<void> fetch_by_index(const command& of, std::uint64_t id, const indices& which, T* to);

}  // namespace tsubu::python
