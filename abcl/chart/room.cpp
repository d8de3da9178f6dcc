#include "abcl/chart/room.hpp"

#include <algorithm>
#include <cmath>

namespace abcl::chart {

namespace {

double overlap(const box& a, const box& b) {
  const double w = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double h = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0;
}

// The part of a line that is in a box.
double length_in(const box& b, const stroke& s) {
  double from = 0, to = 1;
  const auto cut = [&](double at, double way, double low, double high) {
    if (std::abs(way) < 1e-9) {
      if (at < low || at > high) to = -1;
      return;
    }
    const double first = (low - at) / way, second = (high - at) / way;
    from = std::max(from, std::min(first, second));
    to = std::min(to, std::max(first, second));
  };
  cut(s.x1, s.x2 - s.x1, b.left, b.right);
  cut(s.y1, s.y2 - s.y1, b.top, b.bottom);
  return to > from ? (to - from) * std::hypot(s.x2 - s.x1, s.y2 - s.y1) : 0;
}

}  // namespace

bool room::is_free(const box& b) const {
  return std::none_of(taken_.begin(), taken_.end(), [&](const box& other) { return overlap(b, other) > 0; }) &&
         std::none_of(strokes_.begin(), strokes_.end(), [&](const stroke& s) { return length_in(b, s) > 0; });
}

box room::best(const std::vector<box>& places, std::size_t of_stroke) const {
  const box* best = nullptr;
  double least = 1e18;
  for (const box& b : places) {
    double cost = 0;
    for (const box& other : taken_) cost += overlap(b, other);
    if (b.right > right_) cost += 1e4;
    for (std::size_t i = 0; i < strokes_.size() && cost < least; ++i) {
      const stroke& s = strokes_[i];
      if (i != of_stroke && std::max(s.y1, s.y2) > b.top && std::min(s.y1, s.y2) < b.bottom)
        cost += 3 * length_in(b, s);
    }
    if (cost >= least) continue;
    least = cost;
    best = &b;
    if (cost == 0) break;
  }
  return *best;
}

}  // namespace abcl::chart
