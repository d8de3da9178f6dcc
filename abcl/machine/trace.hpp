// The events of all nodes as a file: a sequence chart (NAME.svg), or a line for each event (NAME.jsonl).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "abcl/chart/chart.hpp"

namespace abcl::machine {

struct trace {
  std::vector<chart_event> events;
  std::vector<std::string> left_out;  // sentences
};

bool is_trace_file(const std::string& file);

// As text, to be sent; and back, behind what `to` has.
std::string packed(int node, const std::vector<chart_event>& events, std::size_t left_out);
void unpack(const std::string& text, trace& to);

// Counts time from the first event on.
void begin_at_zero(trace& all);

// Returns why the file could not be written, or nothing.
std::string write_trace(const std::string& file, trace all, const std::string& title, const std::string& unit);

}  // namespace abcl::machine
