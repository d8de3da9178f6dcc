#include "abcl/chart/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abcl::chart {
namespace {

using kind = chart_event::kind;

constexpr double least_gap = 3, usual_gap = 24, largest_gap = 130, broken_gap = 38, between_ticks = 34;
constexpr double least_column = 96, largest_column = 250, margin = 24;

bool begins_label(kind k) { return k == kind::message_sent || k == kind::reply_sent; }

// What two events of one lifeline keep between them, so that both can be seen.
double between(kind first, kind second) {
  if (first == kind::created) return head_height / 2 + 9;
  if (begins_label(first) && begins_label(second)) return 17;
  if (second == kind::ended) return 14;
  return 9;
}

class layout {
 public:
  layout(const story& s, sheet& to) : s_(s), to_(to) {}

  void columns() {
    const std::size_t n = s_.lines.size();
    for (const lifeline& l : s_.lines)
      to_.head.push_back(std::max(letter_of_name * static_cast<double>(length_of(l.name)) + 22, 64.0));
    // Between neighbours there is room for the messages that have no other.
    std::vector<double> room(n + 1, least_column);
    for (const arrow& a : s_.arrows) {
      if (a.from == a.to || std::abs(a.from - a.to) != 1) continue;
      double& between = room[static_cast<std::size_t>(std::max(a.from, a.to))];
      const double text = letter_of_message * static_cast<double>(std::min<std::size_t>(length_of(a.text), 30));
      between = std::max(between, std::min(text + 42, largest_column));
    }
    for (std::size_t i = 1; i < n; ++i) room[i] = std::max(room[i], (to_.head[i - 1] + to_.head[i]) / 2 + 18);
    to_.axis = 92;
    to_.start = to_.axis + 26;
    double x = to_.start;
    for (std::size_t i = 0; i < n; ++i) {
      x += i == 0 ? std::max(66.0, to_.head[0] / 2 + 34) : room[i];
      to_.x.push_back(x);
    }
    to_.width = (n == 0 ? x : x + to_.head.back() / 2) + margin + 60;
  }

  void rows() {
    std::vector<double> last(s_.lines.size(), -1e9);
    std::vector<kind> what(s_.lines.size(), kind::waits);
    const double scale = scale_of_time();
    double y = to_.top + head_height + 12, before = 0;
    for (std::size_t i = 0; i < s_.events.size(); ++i) {
      const chart_event& e = s_.events[i];
      const double above = y;
      const double passed = i == 0 ? 0 : e.at - before;
      const bool breaks = passed * scale > largest_gap;
      if (i == 0) {
        to_.ticks.push_back({y, e.at});
      } else if (passed > 0) {
        y += breaks ? broken_gap : std::max(passed * scale, least_gap);
      }
      const auto keep_from = [&](int line, kind k) {
        if (line >= 0)
          y = std::max(y, last[static_cast<std::size_t>(line)] + between(what[static_cast<std::size_t>(line)], k));
      };
      const auto note = [&](int line, kind k) {
        if (line < 0) return;
        last[static_cast<std::size_t>(line)] = y;
        what[static_cast<std::size_t>(line)] = k;
      };
      keep_from(s_.lines_of[i], e.what);
      // The creator, too, goes on below the head.
      if (e.what == kind::created) keep_from(s_.others_of[i], e.what);
      note(s_.lines_of[i], e.what);
      if (e.what == kind::created) note(s_.others_of[i], e.what);
      if (breaks) to_.breaks.push_back({above + broken_gap / 2, passed});
      if (passed > 0 && (breaks || y - to_.ticks.back().y >= between_ticks)) to_.ticks.push_back({y, e.at});
      to_.y.push_back(y);
      before = e.at;
    }
    to_.bottom = y + 30;
  }

 private:
  // In pixels for a unit of time: three of four gaps between events are not larger than usual_gap.
  double scale_of_time() const {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < s_.events.size(); ++i) {
      const double gap = s_.events[i].at - s_.events[i - 1].at;
      if (gap > 0) gaps.push_back(gap);
    }
    if (gaps.empty()) return 1;
    const auto third = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() * 3 / 4);
    std::nth_element(gaps.begin(), third, gaps.end());
    return usual_gap / *third;
  }

  const story& s_;
  sheet& to_;
};

}  // namespace

sheet lay_out(const story& s, double header, double footer) {
  sheet made;
  made.top = header;
  layout l(s, made);
  l.columns();
  l.rows();
  made.height = made.bottom + footer;
  return made;
}

std::string shown_time(double at) {
  if (!(std::abs(at) < 1e15)) return fmt::format("{:g}", at);
  std::string text = fmt::format("{:.2f}", std::abs(at));
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  std::size_t place = text.find('.');
  if (place == std::string::npos) place = text.size();
  while (place > 3) {
    place -= 3;
    text.insert(place, ",");
  }
  return at < 0 && text != "0" ? "-" + text : text;
}

std::size_t length_of(const std::string& text) {
  std::size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return n;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (length_of(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t n = 0; end < text.size(); ++end) {
    if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && ++n == most) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace abcl::chart
