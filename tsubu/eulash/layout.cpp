#include "tsubu/eulash/layout.hpp"

#include <algorithm>
#include <bit>

#include "tsubu/base/check.hpp"

namespace tsubu::placed {
namespace {

constexpr std::uint64_t views_begin = EULASH_STACKS + EULASH_RANGE;
#ifdef EULASH_LOW_ADDRESSES
constexpr std::uint64_t room_for_views = 5 * EULASH_RANGE;  // up to the end of ThreadSanitizer's low memory
#else
constexpr std::uint64_t room_for_views = EULASH_BASE;
#endif
constexpr std::uint64_t most_span = std::uint64_t{1} << 38;
constexpr std::uint64_t least_part = std::uint64_t{1} << 20;

}  // namespace

const std::uint64_t layout::addresses = 2 * EULASH_RANGE + room_for_views;

layout::layout(pe_id processes, bool one_memory)
    : one_memory_(one_memory),
      base_(one_memory ? views_begin : EULASH_BASE),
      stacks_(one_memory ? views_begin + EULASH_RANGE : EULASH_STACKS) {
  const auto count = static_cast<std::uint64_t>(processes);
  const std::uint64_t fits = room_for_views / (one_memory ? 1 : count) / (EULASH_LINE + 1) * EULASH_LINE;
  span_ = std::min({most_span, static_cast<std::uint64_t>(EULASH_RANGE), std::bit_floor(fits)});
  const std::uint64_t others = std::bit_ceil(std::max<std::uint64_t>(count - 1, 1));
  part_shift_ = std::countr_zero(span_ / 2 / others);
  require(span_ / 2 / others >= least_part, "a placed program cannot have {} processes: the addresses do not suffice",
          processes);
  stack_shift_ = std::countr_zero(EULASH_RANGE / std::bit_ceil(count));
}

range layout::part_of(pe_id process) const {
  if (process == 0) return {0, span_ / 2};
  return {span_ / 2 + (static_cast<std::uint64_t>(process - 1) << part_shift_), std::uint64_t{1} << part_shift_};
}

range layout::view_of(pe_id process) const {
  const std::uint64_t stride = span_ + state_bytes();
  return {views_begin + static_cast<std::uint64_t>(process) * stride + state_bytes(), span_};
}

range layout::stacks_of(pe_id process) const {
  return {stacks_ + (static_cast<std::uint64_t>(process) << stack_shift_), std::uint64_t{1} << stack_shift_};
}

}  // namespace tsubu::placed
