#include "abcl/machine/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "tsubu/base/files.hpp"

namespace abcl::machine {

bool is_trace_file(const std::string& file) { return file.ends_with(".svg") || file.ends_with(".jsonl"); }

// The first line is for people, if something was left out; else it is empty.
std::string packed(int node, const std::vector<chart_event>& events, std::size_t left_out) {
  std::string text;
  if (left_out != 0) {
    text = fmt::format("Not recorded: {} event{} of node {}, after its first {}.", left_out, left_out == 1 ? "" : "s",
                       node, events.size());
  }
  for (const chart_event& e : events) text += '\n' + to_line(e);
  return text;
}

void unpack(const std::string& text, trace& to) {
  std::string_view rest = text;
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (first) {
      if (!line.empty()) to.left_out.emplace_back(line);
    } else if (std::optional<chart_event> e = from_line(line)) {
      to.events.push_back(*std::move(e));
    }
  }
}

void begin_at_zero(trace& all) {
  double first = 0;
  for (bool any = false; const chart_event& e : all.events) {
    if (!any || e.at < first) first = e.at;
    any = true;
  }
  for (chart_event& e : all.events) e.at -= first;
}

std::string write_trace(const std::string& file, trace all, const std::string& title, const std::string& unit) {
  std::stable_sort(all.events.begin(), all.events.end(),
                   [](const chart_event& a, const chart_event& b) { return a.at < b.at; });
  std::string text;
  if (file.ends_with(".svg")) {
    chart_options how;
    how.title = title;
    how.unit = unit;
    how.left_out = std::move(all.left_out);
    text = sequence_chart(std::move(all.events), how);
  } else {
    for (const chart_event& e : all.events) text += to_line(e) + '\n';
  }
  return tsubu::write_file({.file = file, .mark = {}, .force = true}, text);
}

}  // namespace abcl::machine
