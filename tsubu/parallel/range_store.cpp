#include "tsubu/parallel/range_store.hpp"

#include <algorithm>
#include <cstddef>

namespace tsubu::parallel {

void range_store::add(index_range r) {
  if (r.size() <= 0) return;
  size_ += r.size();
  ranges_.push_back(r);
}

std::vector<index_range> range_store::share(std::size_t among) {
  const std::int64_t grains = size_ / grain_;
  std::int64_t wanted = std::max<std::int64_t>(grains / static_cast<std::int64_t>(among), 1) * grain_;
  std::vector<index_range> shared;
  if (grains < 2) return shared;
  std::size_t whole = 0;
  while (wanted > 0) {
    index_range& from = ranges_[whole];
    const index_range taken{from.first, std::min(from.last, from.first + wanted)};
    shared.push_back(taken);
    wanted -= taken.size();
    size_ -= taken.size();
    from.first = taken.last;
    if (from.size() == 0) ++whole;
  }
  ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(whole));
  return shared;
}

}  // namespace tsubu::parallel
