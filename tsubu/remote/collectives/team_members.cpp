#include "tsubu/remote/collectives/team_members.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tsubu::remote {

team_members::team_members(std::vector<pe_id> by_rank) : size_(static_cast<pe_id>(by_rank.size())) {
  if (by_rank.empty()) return;
  first_ = by_rank[0];
  if (size_ > 1) stride_ = by_rank[1] - by_rank[0];
  for (pe_id rank = 0; rank < size_; ++rank) {
    if (by_rank[static_cast<std::size_t>(rank)] == first_ + rank * stride_) continue;
    first_ = 0;
    stride_ = 0;
    listed_ = std::move(by_rank);
    return;
  }
}

team_members team_members::all(pe_id count) {
  team_members made;
  made.size_ = count;
  return made;
}

pe_id team_members::rank_of(pe_id pe) const {
  if (stride_ == 0) {
    const auto found = std::find(listed_.begin(), listed_.end(), pe);
    return found == listed_.end() ? no_pe : static_cast<pe_id>(found - listed_.begin());
  }
  const std::int64_t distance = std::int64_t{pe} - first_, rank = distance / stride_;
  return distance % stride_ == 0 && 0 <= rank && rank < size_ ? static_cast<pe_id>(rank) : no_pe;
}

bool team_members::fit(pe_id count) const {
  const auto is_pe = [count](std::int64_t pe) { return 0 <= pe && pe < count; };
  if (size_ <= 0 || size_ > count || listed_.size() != static_cast<std::size_t>(stride_ == 0 ? size_ : 0)) return false;
  if (stride_ != 0) return is_pe(first_) && is_pe(first_ + std::int64_t{size_ - 1} * stride_);
  std::vector<pe_id> sorted = listed_;
  std::sort(sorted.begin(), sorted.end());
  return is_pe(sorted.front()) && is_pe(sorted.back()) &&
         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

}  // namespace tsubu::remote
