// The parts that a PE has of the job's containers. A container is named by the type of its parts and a number, which is
// the same on all PEs since all make their containers in one order.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <source_location>
#include <type_traits>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/containers/account.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::containers {

// It travels in front of each message, so it is short.
using number = std::uint16_t;

template <class Part>
inline pe_local<std::vector<std::unique_ptr<Part>>> parts_here;

[[noreturn, gnu::cold]] void no_such_container(number which, std::size_t made);

template <class Part>
[[gnu::always_inline]] inline Part& part_here(number which) {
  auto& parts = *parts_here<Part>;
  if (which >= parts.size() || parts[which] == nullptr) [[unlikely]]
    no_such_container(which, parts.size());
  return *parts[which];
}

// For what looks ahead, and may look at a message of an earlier time (message/prepares.hpp): null if there is none any
// more.
template <class Part>
inline const Part* part_if_here(number which) {
  const auto& parts = *parts_here<Part>;
  return which < parts.size() ? parts[which].get() : nullptr;
}

// For --tsubu-stats: account.hpp.
template <class Part>
part_figures figures_here(number which) {
  const Part* const part = part_if_here<Part>(which);
  return part == nullptr ? part_figures() : figures_of(*part);
}

// Collective: each PE makes its part; returns when all have.
template <class Part>
task<number> make_parts(std::source_location where) {
  auto& parts = *parts_here<Part>;
  require(parts.size() < std::numeric_limits<number>::max(),
          "a job has {} containers of one type, and no more have names", parts.size());
  const auto made = static_cast<number>(parts.size());
  parts.push_back(std::make_unique<Part>());
  if (data::configured().tell) account_for(Part::saved_as(), made, &figures_here<Part>, where);
  co_await barrier(where);
  co_return made;
}

// Collective: the sum over all PEs of what here() gives when every PE has called this: so what any PE has awaited
// before is seen.
template <class F>
task<std::invoke_result_t<F&>> sum_over_pes(F here, std::source_location where) {
  co_await barrier(where);
  co_return co_await all_reduce(here(), reduce::plus, where);
}

// Collective: nobody uses the container any more.
template <class Part>
task<void> end_parts(number which, std::source_location where) {
  Part& part = part_here<Part>(which);
  if (part.walked_by.any()) part.walked_by.refuse("it ends");
  co_await barrier(where);
  if (data::configured().tell) account_for_end(which, &figures_here<Part>);
  (*parts_here<Part>)[which].reset();
  co_await barrier(where);
}

}  // namespace tsubu::containers
