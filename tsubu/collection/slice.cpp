#include "tsubu/collection/slice.hpp"

#include <algorithm>

#include "tsubu/base/clock.hpp"
#include "tsubu/collection/held_names.hpp"

namespace tsubu::collection {

const pe_local<slices_of_pe> slices_here;

void pause_lengths::add(std::int64_t ns) {
  const auto n = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, steps));
  const int octave = static_cast<int>(std::bit_width(n)) - 1;
  const std::size_t place = static_cast<std::size_t>(octave) * steps + (n >> (octave - step_bits)) % steps;
  ++counts_[std::min(place, counts_.size() - 1)];
  ++count_;
  longest_ns_ = std::max(longest_ns_, ns);
}

void pause_lengths::add(const pause_lengths& more) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += more.counts_[i];
  count_ += more.count_;
  longest_ns_ = std::max(longest_ns_, more.longest_ns_);
}

std::int64_t pause_lengths::quantile_ns(double share) const {
  auto left = static_cast<std::uint64_t>(static_cast<double>(count_) * share);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > left) {
      const std::uint64_t octave = i / steps;
      const std::uint64_t end = (steps + 1 + i % steps) << octave >> step_bits;
      return std::min(static_cast<std::int64_t>(end), longest_ns_);
    }
    left -= counts_[i];
  }
  return longest_ns_;
}

void slice::begin() {
  began_ns_ = now();
  looked_at_ = 0;
  slices_of_pe& here = *slices_here;
  if (simulated == nullptr) here.clock.begin();
  const std::uint64_t made = names_held->pace.count_made();
  looks_next_ = looks_for_each * (made - std::min(made, std::exchange(here.made_by_the_last, made)));
}

bool slice::looks_at_clock() {
  const std::int64_t took = now() - began_ns_, may = configured().slice_ns;
  // Or the next look at the clock would come too late.
  if (took >= may - may / 16 || (simulated != nullptr && looked_at_ >= most)) return true;
  const std::uint64_t fit = looked_at_ * static_cast<std::uint64_t>(may / 16) / static_cast<std::uint64_t>(took + 1);
  looks_next_ = looked_at_ + std::min(most_between, fit);
  return false;
}

void slice::end() {
  slices_of_pe& here = *slices_here;
  here.lengths.add(simulated == nullptr ? here.clock.took() : now() - began_ns_);
}

}  // namespace tsubu::collection
