#include "eulash/explain/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <set>
#include <sstream>

#include "eulash/explain/notes.hpp"

namespace eulash {
namespace {

constexpr std::string_view style = R"(<meta charset="utf-8">
<style>
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em; color: #222; background: #fff }
h1 { font-size: 1.3em } h2 { font-size: 1.05em; margin: 1.8em 0 .4em }
table { border-collapse: collapse }
td { padding: 0 .6em; vertical-align: top }
td.n, td.m { font: 12px/1.6 monospace; color: #888; text-align: right; user-select: none }
td.m { color: #b45309; cursor: help }
td.c { font: 12px/1.6 monospace; white-space: pre-wrap; overflow-wrap: anywhere; border-left: 4px solid transparent; max-width: 60em }
tr:hover td { background: #f6f6f6 }
.note { font-size: 12px; border-left: 4px solid; padding-left: .5em; margin: 1px 0 3px; max-width: 46em }
.note b { font-weight: 600 } .note i { color: #666; font-style: normal }
.private { border-color: #9ca3af !important } .once { border-color: #16a34a !important }
.shared { border-color: #ea580c !important } .unknown { border-color: #dc2626 !important }
.stack { border-color: #2563eb !important }
.legend .note { display: inline-block; margin-right: 1.2em }
</style>
)";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string_view class_of(const note& n) {
  if (n.on_stack) return "stack";
  switch (n.is) {
    case sharing::of_thread:
    case sharing::one_process:
      return "private";
    case sharing::read_only:
      return "once";
    case sharing::several:
      return "shared";
    case sharing::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string shown(const note& n) {
  std::string text = fmt::format("<div class=\"note {}\"><b>{}</b> {}: <i>{}</i>", class_of(n), escaped(n.what),
                                 escaped(n.where), escaped(n.why));
  if (n.recorded != nullptr && n.recorded->reads + n.recorded->writes != 0) {
    const recorded_site& r = *n.recorded;
    text += fmt::format("<br>in its line {} reads, {} writes; messages cost {} as it was: {}", r.reads, r.writes,
                        duration(r.spent_ns), name_of(r.had));
    if (r.best != r.had) text += fmt::format("; <b>{}</b> would cost {}", name_of(r.best), duration(r.best_ns));
  }
  return text + "</div>";
}

// What a line does to data that may be shared.
struct line_uses {
  std::set<std::string> read, written;
};
using uses_by_place = std::map<std::pair<std::string, unsigned>, line_uses>;

uses_by_place uses_of_shared(const facts& f, const shared_objects& proven) {
  uses_by_place all;
  for (const access_facts& a : f.accesses) {
    const auto add = [&](object o) {
      const object_facts& known = f.objects[static_cast<std::size_t>(o)];
      if (proven.of(o).is_private() || known.kind == object_kind::function) return;
      const std::string name = !known.name.empty()               ? known.name
                               : known.kind == object_kind::heap ? fmt::format("what line {} allocates", known.at.line)
                               : known.kind == object_kind::unknown ? "something unknown"
                                                                    : "what main was given";
      line_uses& uses = all[{a.at.file, a.at.line}];
      (a.writes ? uses.written : uses.read).insert(name);
    };
    if (a.direct >= 0) add(a.direct);
    for (const object o : f.values.objects(a.pointer)) add(o);
  }
  return all;
}

std::string marker(const line_uses& uses) {
  std::string what;
  if (!uses.read.empty()) what = fmt::format("reads {}", fmt::join(uses.read, ", "));
  if (!uses.written.empty())
    what += fmt::format("{}writes {}", what.empty() ? "" : "; ", fmt::join(uses.written, ", "));
  return fmt::format("<td class=\"m\" title=\"{}\">{}{}</td>", escaped(what), uses.read.empty() ? "" : "r",
                     uses.written.empty() ? "" : "w");
}

std::string legend() {
  constexpr auto kinds =
      std::to_array<std::pair<std::string_view, std::string_view>>({{"private", "used in one process"},
                                                                    {"once", "read only"},
                                                                    {"shared", "used by several processes"},
                                                                    {"stack", "on a stack, used by several threads"},
                                                                    {"unknown", "unknown"}});
  std::string text = "<p class=\"legend\">";
  for (const auto& [name, what] : kinds) text += fmt::format("<span class=\"note {}\">{}</span>", name, what);
  return text + "</p>\n<p>r, w: the line reads or writes data that may be shared; hold the pointer over it.</p>\n";
}

std::string table_of(const std::string& file, const std::string& text, const std::vector<note>& notes,
                     const uses_by_place& uses) {
  std::string all = fmt::format("<h2>{}</h2>\n<table>\n", escaped(file));
  std::istringstream lines(text);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    const auto used = uses.find({file, number});
    std::string beside;
    std::string_view kind;
    for (const note& n : notes) {
      if (n.at.file != file || n.at.line != number) continue;
      beside += shown(n);
      kind = class_of(n);
    }
    all += fmt::format("<tr><td class=\"n\">{}</td>{}<td class=\"c {}\">{}</td><td>{}</td></tr>\n", number,
                       used == uses.end() ? "<td></td>" : marker(used->second), kind, escaped(line), beside);
  }
  return all + "</table>\n";
}

}  // namespace

std::string page_of(const facts& f, const shared_objects& proven, const run_profile* recorded,
                    const std::map<std::string, std::string>& texts) {
  const std::vector<note> notes = notes_on(f, proven, recorded);
  const uses_by_place uses = uses_of_shared(f, proven);
  std::string names;
  for (const auto& [file, text] : texts) names += (names.empty() ? "" : ", ") + escaped(file);
  std::string page =
      fmt::format("{}{}</title>\n{}<h1>Where the data of {} are placed</h1>\n", page_begins, names, style, names);
  if (recorded != nullptr)
    page += fmt::format("<p>With the profile of {}: {}.</p>\n", escaped(recorded->program_name()),
                        escaped(recorded->prediction()));
  page += legend();
  for (const auto& [file, text] : texts) page += table_of(file, text, notes, uses);
  return page;
}

}  // namespace eulash
