// What a list of events tells: the objects, when each of them ran or waited, and the arrows between them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "abcl/chart/chart.hpp"

namespace abcl::chart {

// Events are named by their places in story::events, lifelines by theirs in story::lines.
inline constexpr std::size_t no_event = ~std::size_t{0};
inline constexpr int program_start = -1;  // in the place of a lifeline

// A clause, or a part of one, on a lifeline.
struct stretch {
  std::size_t from = 0;
  std::size_t to = no_event;  // no_event: it has not ended in this chart
  bool waits = false;
  int depth = 0;     // of clauses that it runs inside of
  std::string text;  // what is waited for
};

struct lifeline {
  std::uint64_t object = 0;
  int node = 0;
  std::string name;                // "Fib 3", "Main"
  std::size_t created = no_event;  // no_event: it was there before
  std::size_t ended = no_event;
  std::vector<stretch> stretches;
};

struct arrow {
  enum class kind { creation, past, now, future, reply };
  kind what{};
  int from = program_start;
  int to = program_start;
  std::size_t sent = 0;
  std::size_t taken = no_event;  // no_event: not in this chart
  std::string text;
  bool express = false;
};

struct story {
  std::vector<chart_event> events;  // those of objects that are shown, by their time
  std::vector<int> lines_of;        // of each event: that of its object
  std::vector<int> others_of;       // the same of the other object; program_start if that is none
  std::vector<lifeline> lines;      // by when they appear
  std::vector<arrow> arrows;
  std::vector<std::string> left_out;  // each a sentence
};

story tell(std::vector<chart_event> events, const chart_options& how);

}  // namespace abcl::chart
