#include "abcl/text/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tsubu/base/printable.hpp"

namespace abcl {
namespace {

struct paint {
  bool on;
  std::string operator()(std::string_view code, std::string_view text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
};

constexpr std::string_view red = "1;31", yellow = "1;33", blue = "1;34", bold = "1";

using tsubu::masked_line;
using tsubu::one_line;

// The line of `where` with a mark below it. A long line is cut around the mark.
void show_line(std::string& out, const source& from, span where, std::string_view label, char mark, int margin,
               std::string_view color, const paint& as) {
  constexpr int widest = 160;
  const place begin = from.place_of(where.begin);
  const std::string_view line = from.line(begin.line);
  const auto line_end = from.begin_of_line(begin.line) + static_cast<std::uint32_t>(line.size());
  // A line of more bytes is not looked at as a whole: there may be as many diagnostics as it has words.
  constexpr std::uint32_t widest_bytes = 4 * widest;
  const std::uint32_t end =
      std::clamp(std::min(where.end, where.begin + widest_bytes), where.begin, std::max(where.begin, line_end));
  const int length = std::max(1, width_of(from.text({where.begin, end})));
  std::string shown_line = masked_line(line.substr(0, widest_bytes));
  int column = begin.column;
  if (line.size() > widest_bytes || width_of(shown_line) > widest) {
    const std::uint32_t first = from.begin_of_line(begin.line);
    const auto inside_character = [&](std::uint32_t at) {
      return at < line_end && (static_cast<unsigned char>(from.text({at, at + 1})[0]) & 0xC0U) == 0x80U;
    };
    std::uint32_t cut = where.begin - first > 40 ? where.begin - 40 : first;
    while (cut > first && inside_character(cut)) --cut;
    std::uint32_t behind = std::min(line_end, cut + widest);
    while (inside_character(behind)) ++behind;
    shown_line = masked_line(from.text({cut, behind}));
    column = width_of(from.text({cut, where.begin})) + 1;
    if (cut > first) {
      shown_line = "..." + shown_line;
      column += 3;
    }
  }
  const std::string bar = as(blue, "|");
  out += fmt::format("{} {} {}\n", as(blue, fmt::format("{:>{}}", begin.line, margin)), bar, shown_line);
  std::string below = std::string(static_cast<std::size_t>(std::min(length, widest)), mark);
  if (!label.empty()) below += fmt::format(" {}", label);
  out += fmt::format("{:>{}} {} {:{}}{}\n", "", margin, bar, "", column - 1, as(color, below));
}

}  // namespace

std::string name_of(int number) { return fmt::format("{}{:03}", number < 100 ? 'E' : 'W', number); }

diagnostic& diagnostics::error(int number, span where, std::string message, std::string label) {
  ++errors_;
  return all_.emplace_back(diagnostic{number, severity::error, where, std::move(message), std::move(label), {}, {}});
}

diagnostic& diagnostics::warning(int number, span where, std::string message, std::string label) {
  return all_.emplace_back(diagnostic{number, severity::warning, where, std::move(message), std::move(label), {}, {}});
}

void diagnostics::sort() {
  std::stable_sort(all_.begin(), all_.end(),
                   [](const diagnostic& a, const diagnostic& b) { return a.where.begin < b.where.begin; });
}

std::string shown(const diagnostic& d, const sources& all, bool color) {
  const paint as{color};
  const bool is_error = d.weight == severity::error;
  const std::string_view own = is_error ? red : yellow;
  const source& from = all.of(d.where);
  const place at = from.place_of(d.where.begin);
  int last_line = at.line;
  for (const note& n : d.notes) last_line = std::max(last_line, all.of(n.where).place_of(n.where.begin).line);
  const auto margin = static_cast<int>(std::to_string(last_line).size());

  std::string out =
      fmt::format("{}{}\n", as(own, fmt::format("{}[{}]", is_error ? "error" : "warning", name_of(d.number))),
                  as(bold, ": " + one_line(d.message)));
  out += fmt::format("{:>{}}{} {}:{}:{}\n", "", margin, as(blue, "-->"), one_line(from.name()), at.line, at.column);
  out += fmt::format("{:>{}} {}\n", "", margin, as(blue, "|"));
  // In the order of their lines, as they stand in the text; other files behind.
  const auto show_note = [&](const note& n) {
    const source& other = all.of(n.where);
    const place there = other.place_of(n.where.begin);
    if (&other != &from)
      out += fmt::format("{:>{}}{} {}:{}:{}\n", "", margin, as(blue, ":::"), one_line(other.name()), there.line,
                         there.column);
    show_line(out, other, n.where, one_line(n.text), '-', margin, blue, as);
  };
  const auto stands_before = [&](const note& n) { return &all.of(n.where) == &from && n.where.begin < d.where.begin; };
  for (const note& n : d.notes) {
    if (stands_before(n)) show_note(n);
  }
  show_line(out, from, d.where, one_line(d.label), '^', margin, own, as);
  for (const note& n : d.notes) {
    if (!stands_before(n)) show_note(n);
  }
  if (!d.help.empty()) out += fmt::format("{:>{}} {}\n", "", margin, as(blue, "|"));
  for (const std::string& fact : d.help)
    out += fmt::format("{:>{}} {} {}\n", "", margin, as(blue, "="), one_line(fact));
  return out;
}

namespace {

// Single characters put in, left out, changed or swapped with their neighbours that make one of the other.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;  // of a name that somebody has mistyped
  if (name.size() > longest) return {};
  if (name.size() == 1) {
    const auto same = std::find_if(names.begin(), names.end(),
                                   [&](const std::string& each) { return each != name && lower(each) == lower(name); });
    return same == names.end() ? std::string() : *same;
  }
  std::string best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& each : names) {
    if (each == name || each.size() > longest) continue;
    const std::size_t edits = lower(each) == lower(name) ? 0 : edits_between(name, each);
    if (edits < least) {
      least = edits;
      best = each;
    }
  }
  return best;
}

}  // namespace abcl
