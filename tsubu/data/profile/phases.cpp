#include "tsubu/data/profile/phases.hpp"

#include "tsubu/base/random.hpp"

namespace tsubu::data {

// By a number's bits mixed, and not by its own: what a program does in every second phase shall not be missed.
bool phases::keeps(std::uint64_t number) const {
  return (detail::mix_bits(number + 1) & ((std::uint64_t{1} << halvings_) - 1)) == 0;
}

void phases::add(std::int64_t span_ns, const waited& waited_ns, std::int64_t idle_ns, std::uint32_t ended_by) {
  order_ = detail::mix_bits(order_ ^ (ended_by + 1));
  for (std::size_t k = 0; k < wait_kinds; ++k) waited_ns_[k] += waited_ns[k];
  const std::uint64_t number = count_++;
  if (!keeps(number)) return;
  kept_.push_back({number, span_ns, waited_ns, idle_ns});
  while (kept_.size() > most_kept) {
    ++halvings_;
    std::erase_if(kept_, [this](const phase& p) { return !keeps(p.number); });
  }
}

}  // namespace tsubu::data
