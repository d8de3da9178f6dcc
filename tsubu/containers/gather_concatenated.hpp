// The vectors of all PEs, one behind the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <source_location>
#include <utility>
#include <vector>

#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

// As gather() of vectors, and then as one vector: on the root what all PEs gave, in the order of the PEs; elsewhere
// nothing.
// Collective; blocks until every PE has called it, on the root until all is there; PEs that differ in what they call
// end the job.
template <class T>
task<std::vector<T>> gather_concatenated(std::vector<T> mine, pe_id root = 0,
                                         std::source_location where = std::source_location::current()) {
  std::vector<std::vector<T>> of_pes = co_await gather(std::move(mine), root, where);
  std::size_t size = 0;
  for (const std::vector<T>& of_pe : of_pes) size += of_pe.size();
  std::vector<T> all;
  all.reserve(size);
  for (std::vector<T>& of_pe : of_pes) std::ranges::move(of_pe, std::back_inserter(all));
  co_return all;
}

}  // namespace tsubu
