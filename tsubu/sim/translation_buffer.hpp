// A PE's translation buffer: the pages whose translation it has at hand. It is fully associative, and the page that was
// not used for longest makes room for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tsubu::sim {

class translation_buffer {
 public:
  explicit translation_buffer(int entries) : entries_(static_cast<std::size_t>(entries)) { pages_.reserve(entries_); }

  // Whether the page is there. It is afterwards.
  bool use(std::uint64_t page);

  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  const std::size_t entries_;
  std::vector<std::uint64_t> pages_;  // the one that was used last is the last
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace tsubu::sim
