// How often a PE has read and written something, and when: in slices of time whose width doubles as the job goes on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tsubu::data {

struct usage {
  static constexpr std::size_t slices = 64;
  using counts = std::array<std::uint64_t, slices>;

  // So many, spread evenly from the one time to the other. In nanoseconds, from the job's beginning.
  void add(std::uint64_t reads, std::uint64_t writes, std::int64_t from_ns, std::int64_t to_ns);
  void add(usage other);
  // Makes the slices at least so wide: a power of two times the first width.
  void widen(std::int64_t width_ns);

  std::uint64_t reads() const;
  std::uint64_t writes() const;

  std::int64_t width_ns = 1024;
  counts reads_in{};
  counts writes_in{};
};

}  // namespace tsubu::data
