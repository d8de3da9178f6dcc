// How large a batch gets before it leaves, for each link, and how old.
//
// A large batch costs less a packet, a small one lets the other PE begin earlier and is in a cache still when it is
// executed. What a batch costs is measured as batches leave, and is held to a share of the time in which they fill:
// where batches for a link fill faster than that, the next one may be twice as large; where they fill much more slowly,
// or leave before they are full because their PE has nothing else to do, half as large. So a crowd gets large batches,
// a burst of a few kilobytes leaves in parts that the other PE executes while the rest is being sent, and a faster
// network gets smaller batches than a slower one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tsubu::message {

class tuning {
 public:
  // A batch costs a PE no more than one part in so many of the time in which it fills ...
  static constexpr std::uint64_t filling = 16;
  // ... and need not be larger than it takes for one part in so many.
  static constexpr std::uint64_t filling_at_most = 8 * filling;

  tuning(int links, std::uint32_t least_bytes, std::uint32_t most_bytes)
      : least_(std::min(least_bytes, most_bytes)),
        most_(most_bytes),
        links_(least_ < most_ ? static_cast<std::size_t>(links) : 0, tuned{most_bytes, 0}) {}

  // Least and most are one: nothing to tune.
  bool fixed() const { return links_.empty(); }

  // Bytes of the next batch for this link.
  std::uint32_t bytes(int link) const { return fixed() ? most_ : links_[static_cast<std::size_t>(link)].bytes; }

  // A full batch has left at `now`, which took `cost`; so many links have one open. In ticks.
  void left_full(int link, std::uint64_t now, std::uint64_t cost, std::size_t open) {
    auto& l = links_[static_cast<std::size_t>(link)];
    // Both ends pay. A PE that was interrupted meanwhile tells little; but what has become dearer is learned at last.
    cost_ = (7 * cost_ + std::min(2 * cost, 2 * cost_ + 8) + 7) / 8;
    if (l.last_full != 0) {
      const std::uint64_t filled_in = now - l.last_full;
      const std::uint64_t worth = cost_ * std::max<std::size_t>(open, 1);
      if (filled_in < filling * worth) {
        l.bytes = std::min(2 * l.bytes, most_);
      } else if (filled_in > filling_at_most * worth) {
        l.bytes = std::max(l.bytes / 2, least_);
      }
    }
    l.last_full = now;
  }

  // One left with so many bytes because its PE had nothing else to do, or because it was old.
  void left_early(int link, std::uint32_t bytes) {
    auto& l = links_[static_cast<std::size_t>(link)];
    l.last_full = 0;
    if (bytes < l.bytes / 2) l.bytes = std::max(l.bytes / 2, least_);
  }

  // Ticks that a batch costs both its PEs.
  std::uint64_t cost() const { return cost_; }

 private:
  struct tuned {
    std::uint32_t bytes;
    std::uint64_t last_full;  // when its last batch left, if that was full
  };

  std::uint32_t least_;
  std::uint32_t most_;
  std::uint64_t cost_ = 1000;
  std::vector<tuned> links_;
};

}  // namespace tsubu::message
