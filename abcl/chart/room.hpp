// Where words find room on a chart: what they would hide, and which arrows they would stand on.
#pragma once

#include <cstddef>
#include <vector>

namespace abcl::chart {

struct box {
  double left, top, right, bottom;
};

struct stroke {
  double x1, y1, x2, y2;
};

class room {
 public:
  explicit room(double right) : right_(right) {}

  // Words do not go beyond.
  double right() const { return right_; }
  // No word may hide it.
  void take(const box& b) { taken_.push_back(b); }
  // A word may, but had better not. They have the numbers 0, 1, ..
  void cross(const stroke& s) { strokes_.push_back(s); }

  bool is_free(const box& b) const;
  // The first of those that hide least; they may stand on the stroke of that number.
  box best(const std::vector<box>& places, std::size_t of_stroke) const;

 private:
  const double right_;
  std::vector<box> taken_;
  std::vector<stroke> strokes_;
};

}  // namespace abcl::chart
