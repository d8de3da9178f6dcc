#include "tsubu/data/profile/usage.hpp"

#include <algorithm>
#include <numeric>

namespace tsubu::data {
namespace {

void spread(usage::counts& in, std::uint64_t count, std::size_t first, std::size_t last) {
  const std::uint64_t parts = last - first + 1;
  // What is left over goes evenly between them, and one to the middle.
  const auto left_before = [&](std::uint64_t k) { return (count % parts * k + parts / 2) / parts; };
  for (std::uint64_t k = 0; k < parts; ++k) in[first + k] += count / parts + (left_before(k + 1) - left_before(k));
}

void halve(usage::counts& in) {
  for (std::size_t k = 0; k < usage::slices / 2; ++k) in[k] = in[2 * k] + in[2 * k + 1];
  std::fill(in.begin() + usage::slices / 2, in.end(), 0);
}

}  // namespace

void usage::widen(std::int64_t to_ns) {
  for (; width_ns < to_ns; width_ns *= 2) {
    halve(reads_in);
    halve(writes_in);
  }
}

void usage::add(std::uint64_t reads, std::uint64_t writes, std::int64_t from_ns, std::int64_t to_ns) {
  to_ns = std::max<std::int64_t>(to_ns, 0);
  from_ns = std::clamp<std::int64_t>(from_ns, 0, to_ns);
  widen((to_ns + 1 + static_cast<std::int64_t>(slices) - 1) / static_cast<std::int64_t>(slices));
  const auto first = static_cast<std::size_t>(from_ns / width_ns), last = static_cast<std::size_t>(to_ns / width_ns);
  spread(reads_in, reads, first, last);
  spread(writes_in, writes, first, last);
}

void usage::add(usage other) {
  widen(other.width_ns);
  other.widen(width_ns);
  for (std::size_t k = 0; k < slices; ++k) {
    reads_in[k] += other.reads_in[k];
    writes_in[k] += other.writes_in[k];
  }
}

std::uint64_t usage::reads() const { return std::accumulate(reads_in.begin(), reads_in.end(), std::uint64_t{0}); }
std::uint64_t usage::writes() const { return std::accumulate(writes_in.begin(), writes_in.end(), std::uint64_t{0}); }

}  // namespace tsubu::data
