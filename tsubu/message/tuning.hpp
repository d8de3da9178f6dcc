// How large a batch gets before it leaves, for each link, and how old.
//
// A large batch costs less a packet, a small one lets the other PE begin earlier and is in a cache still when it is
// executed. Where batches leave full one after the other, or fill fast for what they cost, the next one may be twice as
// large; where they leave again and again before they are half full, because their PE has nothing else to do, half as
// large. So a crowd gets large batches, and short bursts leave in parts that the other PE executes while the rest is
// being sent. What a batch costs is measured as full ones leave; it also says how old an unsent packet should get.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tsubu/base/sparse_array.hpp"

namespace tsubu::message {

class tuning {
 public:
  // A batch should cost a PE no more than one part in so many of the time in which it fills.
  static constexpr std::uint64_t filling = 16;
  // So many in a row that leave full, or early, are more than chance.
  static constexpr std::uint32_t steady = 4;

  tuning(int links, std::uint32_t least_bytes, std::uint32_t most_bytes)
      : least_(std::min(least_bytes, most_bytes)),
        most_(most_bytes),
        links_(least_ < most_ ? static_cast<std::size_t>(links) : 0, tuned{most_bytes}) {}

  // Least and most are one: nothing to tune.
  bool fixed() const { return links_.size() == 0; }

  // Bytes of the next batch for this link.
  std::uint32_t bytes(int link) const { return fixed() ? most_ : links_[static_cast<std::size_t>(link)].bytes; }

  // A full batch has left at `now`, which took `cost`; so many links have one open. In ticks.
  void left_full(int link, std::uint64_t now, std::uint64_t cost, std::size_t open) {
    tuned& l = links_.use(static_cast<std::size_t>(link));
    // Both ends pay. A PE that was interrupted meanwhile tells little; but what has become dearer is learned at last.
    cost_ = (7 * cost_ + std::min(2 * cost, 2 * cost_ + 8) + 7) / 8;
    const bool fast = l.last_full != 0 && now - l.last_full < filling * cost_ * std::max<std::size_t>(open, 1);
    l.last_full = now;
    l.early = 0;
    if (++l.full < steady && !fast) return;
    l.bytes = std::min(2 * l.bytes, most_);
    l.full = 0;
  }

  // One left with so many bytes because its PE had nothing else to do, or because it was old.
  void left_early(int link, std::uint32_t bytes) {
    tuned& l = links_.use(static_cast<std::size_t>(link));
    l.last_full = 0;
    l.full = 0;
    if (bytes >= l.bytes / 2 || ++l.early < steady) return;
    l.bytes = std::max(l.bytes / 2, least_);
    l.early = 0;
  }

  // Ticks that a batch costs both its PEs.
  std::uint64_t cost() const { return cost_; }

 private:
  struct tuned {
    std::uint32_t bytes;
    std::uint64_t last_full = 0;  // when its last batch left, if that was full
    std::uint32_t full = 0;       // that have left so, one after the other
    std::uint32_t early = 0;
  };

  std::uint32_t least_;
  std::uint32_t most_;
  std::uint64_t cost_ = 1000;
  sparse_array<tuned> links_;
};

}  // namespace tsubu::message
