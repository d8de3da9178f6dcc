// Rows of the acceptance table: printed by id, with the paper's figure and ours.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "tsubu/base/clock.hpp"

namespace acceptance {

inline bool all_reproduced = true;

// For differences.
inline double seconds() { return static_cast<double>(tsubu::now_ns()) * 1e-9; }

// Prints a row. Called by one PE. tests/papers collects these lines.
inline void row(const std::string& id, const std::string& what, const std::string& paper, const std::string& ours,
                bool ok) {
  std::printf("ROW %s | %s | %s | %s | %s\n", id.c_str(), what.c_str(), paper.c_str(), ours.c_str(),
              ok ? "ok" : "NOT REPRODUCED");
  if (!ok) all_reproduced = false;
}

// Integers that must be equal.
inline void exact(const std::string& id, const std::string& what, long long paper, long long ours) {
  row(id, what, std::to_string(paper), std::to_string(ours), paper == ours);
}

inline std::string digits(double value, int after_point) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", after_point, value);
  return text;
}

// A figure with so many printed digits, to be met within +- tolerance.
inline void within(const std::string& id, const std::string& what, double paper, double ours, double tolerance,
                   int after_point) {
  row(id, what, digits(paper, after_point), digits(ours, after_point), std::abs(ours - paper) <= tolerance);
}

// The program's exit code.
inline int verdict() { return all_reproduced ? 0 : 1; }

}  // namespace acceptance
