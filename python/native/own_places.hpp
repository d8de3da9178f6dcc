// What of Python's indices or keys is a PE's own, where each PE looks at all of them.
//
// They lie in the process's memory. Where there are few PEs, to look at one that is another's takes less than to be
// sent one's own; and what is done to an element is done in the order of the indices, so that nothing has to wait for
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "python/native/carry.hpp"
#include "python/native/job.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::python {

inline bool each_looks_at_all() { return pe_count() <= 8 && memory_is_shared(); }

class own_places {
 public:
  // Those of the first `count` places of a piece that are own; until the next call. Found without a branch, which
  // nobody could foresee.
  template <class IsOwn>
  std::span<const std::uint32_t> find(std::size_t count, IsOwn is_own) {
    std::size_t found = 0;
    for (std::size_t k = 0; k < count; ++k) {
      places_[found] = static_cast<std::uint32_t>(k);
      found += is_own(k) ? 1 : 0;
    }
    return {places_.data(), found};
  }

 private:
  std::array<std::uint32_t, piece_elements> places_;
};

}  // namespace tsubu::python
