// Points, which centre each is next to, and where the centres go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

inline constexpr std::size_t clusters = 8;
inline constexpr int rounds = 20;

struct point {
  long x, y;
  bool operator==(const point&) const = default;
};

// The sum of the points next to one centre, and how many they are.
struct members {
  long x = 0, y = 0, count = 0;
  friend members operator+(members a, members b) { return {a.x + b.x, a.y + b.y, a.count + b.count}; }
};

// A millionth of the square's side is the unit. Each coordinate has the sum of two dice, so the middle is denser.
inline point make_point(long index) {
  const auto die = [index](int k) { return static_cast<long>(splitmix64(4 * index + k) % 500'000); };
  return {die(0) + die(1), die(2) + die(3)};
}

inline std::vector<members> assign(const std::vector<point>& points, const std::vector<point>& centres) {
  std::vector<members> sums(clusters);
  for (const point& p : points) {
    const auto distance = [&p](const point& c) { return (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y); };
    members& sum = sums[std::ranges::min_element(centres, {}, distance) - centres.begin()];
    sum = sum + members{p.x, p.y, 1};
  }
  return sums;
}

inline std::vector<point> make_points(long begin, long end) {
  std::vector<point> points;
  for (long i = begin; i < end; ++i) points.push_back(make_point(i));
  return points;
}

// A centre that no point is next to stays where it is.
inline void recentre(std::vector<point>& centres, const std::vector<members>& sums) {
  for (std::size_t c = 0; c < clusters; ++c) {
    if (sums[c].count > 0) centres[c] = {sums[c].x / sums[c].count, sums[c].y / sums[c].count};
  }
}
