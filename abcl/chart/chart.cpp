// Draws the story on the sheet, from back to front: lifelines, what runs on them, breaks of time, arrows, heads, words.
#include "abcl/chart/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "abcl/chart/room.hpp"
#include "abcl/chart/sheet.hpp"
#include "abcl/chart/story.hpp"
#include "abcl/chart/svg.hpp"

namespace abcl {
namespace chart {
namespace {

struct colours {
  const char* strong;
  const char* light;
};
// The nodes take turns.
constexpr std::array<colours, 8> palette{{{"#2f6db3", "#e3eefa"},
                                          {"#c8701a", "#fcecd9"},
                                          {"#2f8a5b", "#dff2e7"},
                                          {"#7d58b0", "#ece4f7"},
                                          {"#1d8792", "#dbf1f3"},
                                          {"#a8557f", "#f7e4ee"},
                                          {"#84683f", "#f0e8da"},
                                          {"#5f6b7a", "#e9ecf0"}}};
std::size_t turn_of(int node) { return static_cast<std::size_t>(node < 0 ? 0 : node) % palette.size(); }
const colours& colours_of(int node) { return palette[turn_of(node)]; }

constexpr const char* ink = "#1f2937";
constexpr const char* pale = "#94a3b8";
constexpr const char* express_colour = "#c81e3a";
constexpr std::size_t most_letters = 30;
constexpr int most_depth = 4;  // deeper ones hide each other

class drawing {
 public:
  drawing(const story& s, const sheet& at, const chart_options& how)
      : s_(s), at_(at), how_(how), to_(at.width, at.height), room_(at.width - 6) {}

  std::string whole() && {
    for (const arrow& a : s_.arrows) {
      ends_.push_back(computed(a));
      room_.cross(ends_.back());
    }
    definitions();
    axis();
    for (std::size_t i = 0; i < s_.lines.size(); ++i) line(i);
    for (const arrow& a : s_.arrows) draw(a);
    for (const sheet::time_break& b : at_.breaks) draw(b);
    for (std::size_t i = 0; i < s_.lines.size(); ++i) head(i);
    // Those that have little choice first.
    std::vector<const arrow*> labelled;
    for (const arrow& a : s_.arrows) {
      if (!a.text.empty()) labelled.push_back(&a);
    }
    std::stable_sort(labelled.begin(), labelled.end(), [](const arrow* a, const arrow* b) {
      return std::abs(a->from - a->to) < std::abs(b->from - b->to);
    });
    for (const arrow* a : labelled) label(*a);
    for (std::size_t i = 0; i < s_.lines.size(); ++i) reasons(i);
    title();
    legend();
    return std::move(to_).finish();
  }

 private:
  double x_of(int line) const { return line < 0 ? at_.start : at_.x[static_cast<std::size_t>(line)]; }
  double begin_of(const lifeline& l) const {
    return l.created == no_event ? at_.top + head_height / 2 : at_.y[l.created];
  }
  double end_of(const lifeline& l) const { return l.ended == no_event ? at_.bottom : at_.y[l.ended]; }
  double y_of(std::size_t event) const { return event == no_event ? at_.bottom : at_.y[event]; }
  std::string time_of(std::size_t event) const {
    return fmt::format("{} {}", shown_time(s_.events[event].at), escaped(how_.unit));
  }

  void definitions() {
    to_.add(
        "<style>text{{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:{}}}"
        ".m{{font-family:'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;font-size:11px}}"
        ".h{{paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}}"
        ".n{{font-size:12.5px;font-weight:bold}}.s{{font-size:10.5px;fill:#64748b}}</style>",
        ink);
    to_.add("<defs>");
    std::set<std::size_t> used;
    for (const lifeline& l : s_.lines) used.insert(turn_of(l.node));
    used.insert(palette.size() - 1);  // of the legend
    for (const std::size_t i : used)
      to_.add(
          R"x(<pattern id="wait{}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">)x"
          R"(<rect width="5" height="5" fill="#ffffff"/><rect width="1.6" height="5" fill="{}"/></pattern>)",
          i, palette[i].strong);
    to_.add("</defs>");
  }

  // ---- behind everything

  void axis() {
    const double right = at_.width - 24;
    for (const sheet::tick& t : at_.ticks) {
      to_.add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="#eef2f6"/>)", at_.axis, t.y, right, t.y);
      to_.add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="#64748b"/>)", at_.axis - 5, t.y,
              at_.axis, t.y);
      to_.add(R"(<text class="s" x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)", at_.axis - 9, t.y + 3.7,
              shown_time(t.at));
    }
    const double first = at_.ticks.empty() ? at_.top + head_height : at_.ticks.front().y;
    to_.add(R"(<path d="M{0:.1f} {1:.1f}V{2:.1f}m-4 -8l4 8l4 -8" fill="none" stroke="#64748b"/>)", at_.axis, first,
            at_.bottom);
    to_.add(R"(<text class="s" x="{:.1f}" y="{:.1f}" text-anchor="end">{}</text>)", at_.axis - 9, first - 20,
            escaped(how_.unit));
  }

  void line(std::size_t i) {
    const lifeline& l = s_.lines[i];
    const double x = at_.x[i];
    to_.add(
        R"(<line x1="{0:.1f}" y1="{1:.1f}" x2="{0:.1f}" y2="{2:.1f}" stroke="{3}" stroke-width="1.2" stroke-dasharray="5 4"/>)",
        x, begin_of(l), end_of(l), pale);
    for (const stretch& s : l.stretches) {
      const double top = std::max(y_of(s.from), begin_of(l) + (s.from == l.created ? head_height / 2 : 0));
      const double height = std::max(y_of(s.to) - top, 4.0);
      const double left = x - bar_width / 2 + bar_shift * std::min(s.depth, most_depth);
      const std::string fill =
          s.waits ? fmt::format("url(#wait{})", turn_of(l.node)) : std::string(colours_of(l.node).strong);
      to_.add(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}" stroke="{}" stroke-width="1">)"
              R"(<title>{} {}{}{}, from {}{}</title></rect>)",
              left, top, bar_width, height, fill, colours_of(l.node).strong, escaped(l.name),
              s.waits ? "waits" : "runs", s.text.empty() ? "" : " for ", escaped(s.text), time_of(s.from),
              s.to == no_event ? std::string() : " to " + time_of(s.to));
      room_.take({left, top, left + bar_width, top + height});
    }
    if (l.ended != no_event)
      to_.add(R"(<path d="M{:.1f} {:.1f}l12 12m0 -12l-12 12" stroke="{}" stroke-width="2.2" fill="none">)"
              R"(<title>{} ends at {}</title></path>)",
              x - 6, end_of(l) - 6, ink, escaped(l.name), time_of(l.ended));
  }

  // What was cut out of the time, through everything.
  void draw(const sheet::time_break& b) {
    const double right = at_.width - 24;
    std::string upper, lower;
    constexpr double step = 9;
    int i = 0;
    for (double x = at_.axis - 6; x <= right; x += step, ++i) {
      const double up = i % 2 == 0 ? 2 : -2;
      upper += fmt::format("{:.1f} {:.1f} ", x, b.y - 3 + up);
      lower = fmt::format("{:.1f} {:.1f} ", x, b.y + 3 + up) + lower;
    }
    to_.add(R"(<polygon points="{}{}" fill="#ffffff"/>)", upper, lower);
    for (const std::string& edge : {upper, lower})
      to_.add(R"(<polyline points="{}" fill="none" stroke="#cbd5e1" stroke-width="1"/>)", edge);
    to_.add(R"(<text class="s" x="{:.1f}" y="{:.1f}" text-anchor="end" font-style="italic">{} later</text>)",
            at_.axis - 11, b.y + 3.5, shown_time(b.skipped));
    room_.take({at_.axis, b.y - 5, right, b.y + 5});
  }

  // ---- arrows

  // The edge of what runs on a lifeline at an event, on that side.
  double edge(int line, std::size_t event, bool right) const {
    const double x = x_of(line);
    if (line < 0) return x + (right ? 4 : -4);
    int depth = -1;
    for (const stretch& s : s_.lines[static_cast<std::size_t>(line)].stretches) {
      if (s.from <= event && event <= s.to) depth = std::max(depth, s.depth);
      if (s.from > event) break;
    }
    if (depth < 0) return x;
    return right ? x + bar_width / 2 + bar_shift * std::min(depth, most_depth) : x - bar_width / 2;
  }

  struct ends : stroke {
    bool lost;  // where it is taken is not in the chart
  };
  std::size_t number_of(const arrow& a) const { return static_cast<std::size_t>(&a - s_.arrows.data()); }
  const ends& ends_of(const arrow& a) const { return ends_[number_of(a)]; }
  ends computed(const arrow& a) const {
    const bool lost = a.taken == no_event;
    const std::size_t taken = lost ? a.sent : a.taken;
    const double y1 = at_.y[a.sent], y2 = at_.y[taken];
    if (a.what == arrow::kind::creation) {
      const bool right = x_of(a.to) > x_of(a.from);
      const double half = at_.head[static_cast<std::size_t>(a.to)] / 2;
      return {{edge(a.from, a.sent, right), y1, x_of(a.to) + (right ? -half : half), y2}, false};
    }
    if (a.from == a.to) return {{edge(a.from, a.sent, true), y1, edge(a.to, taken, true), lost ? y1 + 12 : y2}, lost};
    const bool right = x_of(a.to) > x_of(a.from);
    const double gap = lost ? 9 : 0;
    return {{edge(a.from, a.sent, right), y1, edge(a.to, taken, !right) + (right ? -gap : gap), y2}, lost};
  }

  void tip(double x, double y, double dx, double dy, bool open, const char* colour) {
    const double length = std::max(std::hypot(dx, dy), 1e-9), c = dx / length, s = dy / length;
    const double ax = x - 9 * c + 4 * s, ay = y - 9 * s - 4 * c, bx = x - 9 * c - 4 * s, by = y - 9 * s + 4 * c;
    to_.add(R"(<path d="M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}{}" fill="{}" stroke="{}" stroke-width="1.3"/>)", ax,
            ay, x, y, bx, by, open ? "" : "Z", open ? "none" : colour, colour);
  }

  void draw(const arrow& a) {
    const ends& e = ends_of(a);
    shape(a.what, e, a.from == a.to, a.express, colour_of(a.what, a.express), tooltip(a));
    if (a.from < 0) to_.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4.5" fill="{}"/>)", at_.start, e.y1, ink);
  }
  static const char* colour_of(arrow::kind what, bool express) {
    if (express) return express_colour;
    return what == arrow::kind::creation || what == arrow::kind::reply ? "#64748b" : ink;
  }
  std::string tooltip(const arrow& a) const {
    const auto name = [&](int line) {
      return line < 0 ? std::string("the start") : s_.lines[static_cast<std::size_t>(line)].name;
    };
    return fmt::format("{} to {}: {}{}", escaped(name(a.from)), escaped(name(a.to)),
                       escaped(a.text.empty() ? (a.what == arrow::kind::creation ? "created" : "a reply") : a.text),
                       a.taken == no_event ? fmt::format(", sent at {}", time_of(a.sent))
                                           : fmt::format(", {} to {}", time_of(a.sent), time_of(a.taken)));
  }

  void shape(arrow::kind what, const ends& e, bool to_itself, bool express, const char* colour,
             const std::string& tooltip) {
    const bool dashed = what == arrow::kind::reply || what == arrow::kind::creation;
    const bool open = what != arrow::kind::now && what != arrow::kind::future;
    const double right = std::max(e.x1, e.x2) + 24;
    const std::string path =
        to_itself ? fmt::format("M{0:.1f} {1:.1f}H{4:.1f}V{3:.1f}H{2:.1f}", e.x1, e.y1, e.x2, e.y2, right)
                  : fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", e.x1, e.y1, e.x2, e.y2);
    to_.add(
        R"(<path d="{}" fill="none" stroke="{}" stroke-width="{}"{}><title>{}</title></path>)", path, colour,
        express ? 2 : 1.3,
        dashed ? (what == arrow::kind::reply ? R"( stroke-dasharray="6 3.5")" : R"( stroke-dasharray="2 2.5")") : "",
        tooltip);
    const double dx = to_itself ? -1 : e.x2 - e.x1, dy = to_itself ? 0 : e.y2 - e.y1;
    if (e.lost) {
      const double c = to_itself ? 0 : dx < 0 ? -4 : 4;
      to_.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4" fill="#ffffff" stroke="{}" stroke-width="1.3"/>)", e.x2 + c,
              e.y2, colour);
    } else {
      tip(e.x2, e.y2, dx, dy, open, colour);
      if (express) {
        const double length = std::max(std::hypot(dx, dy), 1e-9);
        tip(e.x2 - 7 * dx / length, e.y2 - 7 * dy / length, dx, dy, open, colour);
      }
    }
    if (what == arrow::kind::future) {
      const double c = to_itself ? 4 : dx < 0 ? -4 : 4;
      to_.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.4" fill="#ffffff" stroke="{}" stroke-width="1.3"/>)", e.x1 + c,
              e.y1, colour);
    }
  }

  // ---- words

  // Where a label is best: between two lifelines that its arrow passes, near the sender, and on no other.
  void label(const arrow& a) {
    const std::string text = shortened(a.text, most_letters);
    const double width = letter_of_message * static_cast<double>(length_of(text)) + 4;
    const ends& e = ends_of(a);
    std::vector<box> places;
    const auto add = [&](double x, double y) { places.push_back({x - width / 2, y - 11, x + width / 2, y + 3}); };
    if (a.from == a.to) {
      const double x = std::max(e.x1, e.x2) + 29 + width / 2;
      for (const double y : {(e.y1 + e.y2) / 2 + 4, e.y1 - 3, e.y2 + 12}) add(x, y);
    } else {
      const double slope = (e.y2 - e.y1) / (e.x2 - e.x1);
      const int step = a.from < a.to ? 1 : -1;
      int gaps = 0;
      for (int i = a.from; i != a.to && gaps < 5; i += step, ++gaps) {
        const double near = i == a.from ? e.x1 : x_of(i), far = i + step == a.to ? e.x2 : x_of(i + step);
        const double x = (near + far) / 2;
        const double y = e.y1 + slope * (x - e.x1);
        const double rise = std::min(std::abs(slope) * width / 2, 9.0);
        add(x, y - 4 - rise);
        add(x + (far - near) * 0.2, y + slope * (far - near) * 0.2 - 4 - rise);
        add(x - (far - near) * 0.2, y - slope * (far - near) * 0.2 - 4 - rise);
        add(x, y + 13 + rise);
        add(x, y + 4);
      }
    }
    const box best = room_.best(places, number_of(a));
    room_.take(best);
    to_.add(R"(<text class="m h" x="{:.1f}" y="{:.1f}" text-anchor="middle" style="fill:{}">{}</text>)",
            (best.left + best.right) / 2, best.bottom - 3,
            a.express                      ? express_colour
            : a.what == arrow::kind::reply ? "#475569"
                                           : ink,
            escaped(text));
  }

  // What a lifeline waits for, where there is room.
  void reasons(std::size_t line) {
    for (const stretch& s : s_.lines[line].stretches) {
      if (!s.waits || s.text.empty()) continue;
      const std::string text = shortened(s.text, 24);
      const double top = y_of(s.from), bottom = y_of(s.to);
      const double width = 5.6 * static_cast<double>(length_of(text));
      const double x = at_.x[line] + bar_width / 2 + bar_shift * std::min(s.depth, most_depth) + 5;
      for (double y = top + 6; y + 11 <= bottom + 2; y += 6) {
        const box b{x, y, x + width, y + 11};
        if (b.right > room_.right()) break;
        if (!room_.is_free(b)) continue;
        room_.take(b);
        to_.add(R"(<text class="s h" x="{:.1f}" y="{:.1f}" font-style="italic">{}</text>)", x, y + 9, escaped(text));
        break;
      }
    }
  }

  void head(std::size_t i) {
    const lifeline& l = s_.lines[i];
    const double x = at_.x[i], y = begin_of(l), w = at_.head[i];
    name_box(x, y, w, l);
    room_.take({x - w / 2, y - head_height / 2, x + w / 2, y + head_height / 2});
    // The name once more at the end, where the beginning is out of sight.
    if (l.ended == no_event)
      to_.add(R"(<text class="s" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", x, at_.bottom + 13,
              escaped(l.name));
  }
  void name_box(double x, double y, double w, const lifeline& l) {
    const colours& c = colours_of(l.node);
    to_.add(
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="4" fill="{}" stroke="{}" stroke-width="1.4"/>)",
        x - w / 2, y - head_height / 2, w, head_height, c.light, c.strong);
    to_.add(R"(<text class="n" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", x, y - 2, escaped(l.name));
    to_.add(R"(<text class="s" x="{:.1f}" y="{:.1f}" text-anchor="middle">on node {}</text>)", x, y + 11.5, l.node);
  }

  void title() {
    if (!how_.title.empty())
      to_.add(R"(<text x="24" y="32" font-size="17" font-weight="bold">{}</text>)", escaped(how_.title));
  }

  // Only what is in the chart.
  void legend() {
    double x = 24, y = at_.bottom + 44;
    const auto entry = [&](const std::string& text, double sample, auto&& draw_at) {
      const double width = sample + 8 + 6.1 * static_cast<double>(text.size()) + 18;
      if (x + width > at_.width && x > 24) {
        x = 24;
        y += 22;
      }
      draw_at(x, y);
      to_.add(R"(<text font-size="11" x="{:.1f}" y="{:.1f}">{}</text>)", x + sample + 8, y + 4, text);
      x += width;
    };
    const auto bar = [&](const char* text, bool waits) {
      entry(text, 12, [&](double left, double middle) {
        const std::string fill =
            waits ? fmt::format("url(#wait{})", palette.size() - 1) : std::string(palette.back().strong);
        to_.add(R"(<rect x="{:.1f}" y="{:.1f}" width="11" height="14" fill="{}" stroke="{}"/>)", left, middle - 7, fill,
                palette.back().strong);
      });
    };
    bar("runs", false);
    bar("waits", true);
    const auto any = [&](auto&& is) { return std::any_of(s_.arrows.begin(), s_.arrows.end(), is); };
    const auto sample = [&](const char* text, arrow::kind what, bool express, bool lost, bool show) {
      if (!show) return;
      entry(text, 40, [&](double left, double middle) {
        shape(what, {{left, middle, left + (lost ? 31 : 40), middle}, lost}, false, express, colour_of(what, express),
              text);
      });
    };
    const auto has = [&](arrow::kind k) { return any([&](const arrow& a) { return a.what == k; }); };
    using enum arrow::kind;
    sample("creates", creation, false, false, has(creation));
    sample("past", past, false, false, has(past));
    sample("now: the sender waits", now, false, false, has(now));
    sample("future: the sender goes on", future, false, false, has(future));
    sample("reply", reply, false, false, has(reply));
    sample("express", past, true, false, any([](const arrow& a) { return a.express; }));
    sample("not taken yet", past, false, true, any([](const arrow& a) { return a.taken == no_event; }));
    y += 26;
    for (const std::string& said : s_.left_out) {
      to_.add(R"(<text font-size="12" font-weight="bold" style="fill:{}" x="24" y="{:.1f}">{}</text>)", express_colour,
              y, said);
      y += 18;
    }
  }

  const story& s_;
  const sheet& at_;
  const chart_options& how_;
  svg to_;
  std::vector<ends> ends_;  // of each arrow
  room room_;
};

}  // namespace
}  // namespace chart

std::string sequence_chart(std::vector<chart_event> events, const chart_options& how) {
  const chart::story told = chart::tell(std::move(events), how);
  const double footer = 106 + 18 * static_cast<double>(told.left_out.size());
  const chart::sheet at = chart::lay_out(told, how.title.empty() ? 24 : 56, footer);
  return chart::drawing(told, at, how).whole();
}

}  // namespace abcl
