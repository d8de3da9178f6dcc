#include "tsubu/command/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/picture.hpp"
#include "tsubu/command/quantity.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::string_view begins = "<!-- study:begin -->", ends = "<!-- study:end -->";
// What is slower by less may be chance.
constexpr double slower_by = 1.05;

struct series {
  std::vector<const json*> runs;  // that are done, few PEs first

  static double time(const json& run) { return std::max(run.at("time_ps").get<double>(), 1.0); }
  static double pes(const json& run) { return run.at("pes").get<double>(); }
  // Against the first run.
  double efficiency(const json& run, bool weak) const {
    const double faster = time(*runs[0]) / time(run);
    return weak ? faster : faster * pes(*runs[0]) / pes(run);
  }
  const json* on(int pes) const {
    for (const json* run : runs) {
      if (run->at("pes") == pes) return run;
    }
    return nullptr;
  }
};

struct application {
  std::string name;
  series strong, weak;
};

std::string text(const json& run, const char* key) { return run.value(key, ""); }

std::string bound(const json& run) { return fmt::format("{} ({})", text(run, "bound_by"), text(run, "bound_how")); }

std::vector<application> applications_of(const json& study) {
  std::vector<application> all;
  for (const json& run : study.at("runs")) {
    const std::string name = text(run, "application");
    if (all.empty() || all.back().name != name) all.emplace_back().name = name;
    if (text(run, "state") != "done") continue;
    (text(run, "scaling") == "weak" ? all.back().weak : all.back().strong).runs.push_back(&run);
  }
  return all;
}

// What all have in common, in a table with a line each.
std::string overview(const std::vector<application>& all) {
  std::string table =
      "| application | the same work in all: fastest on | times as fast as on the fewest | bound there by | "
      "the same work for each PE: efficiency at the most | bound there by |\n|---|---|---|---|---|---|\n";
  for (const application& a : all) {
    table += fmt::format("| {} |", a.name);
    if (a.strong.runs.empty()) {
      table += " - | - | - |";
    } else {
      const auto faster = [](const json* x, const json* y) { return series::time(*x) < series::time(*y); };
      const json& best = **std::min_element(a.strong.runs.begin(), a.strong.runs.end(), faster);
      table += fmt::format(" {} PEs | {:.3g} | {} |", best.at("pes").get<int>(),
                           series::time(*a.strong.runs[0]) / series::time(best), bound(best));
    }
    if (a.weak.runs.empty()) {
      table += " - | - |\n";
    } else {
      const json& last = *a.weak.runs.back();
      table += fmt::format(" {:.2g} % at {} PEs | {} |\n", 100 * a.weak.efficiency(last, true),
                           last.at("pes").get<int>(), bound(last));
    }
  }
  return table;
}

// Where more PEs take longer for the same work, or do less in the same time.
std::string slower(const std::vector<application>& all) {
  std::string table;
  for (const application& a : all) {
    for (const bool weak : {false, true}) {
      const std::vector<const json*>& runs = weak ? a.weak.runs : a.strong.runs;
      for (std::size_t i = 1; i < runs.size(); ++i) {
        const json &before = *runs[i - 1], &after = *runs[i];
        const double more_work = weak ? series::pes(after) / series::pes(before) : 1;
        const double factor = series::time(after) / series::time(before) / more_work;
        if (factor < slower_by) continue;
        table += fmt::format("| {} | {} | {} to {} | {} | {} | {:.2f} | {} | {} |\n", a.name, weak ? "weak" : "strong",
                             before.at("pes").get<int>(), after.at("pes").get<int>(), duration(series::time(before)),
                             duration(series::time(after)), factor, bound(before), bound(after));
      }
    }
  }
  if (table.empty()) return "Nowhere by more than 5 %.\n";
  return "| application | scaling | from .. to PEs | time | then | work done slower by | bound by | then by |\n"
         "|---|---|---|---|---|---|---|---|\n" +
         table;
}

// Commands that differ in numbers only: those on the fewest and on the most PEs.
std::string commands(const series& of) {
  if (of.runs.empty()) return "";
  const std::string first = text(*of.runs.front(), "command"), last = text(*of.runs.back(), "command");
  return first == last ? fmt::format("`{}`", first) : fmt::format("`{}` .. `{}`", first, last);
}

std::string details(const application& a) {
  std::set<int> counts;
  for (const series* s : {&a.strong, &a.weak}) {
    for (const json* run : s->runs) counts.insert(run->at("pes").get<int>());
  }
  if (counts.empty()) return "";
  const json& any = *(a.strong.runs.empty() ? a.weak : a.strong).runs[0];
  std::string out = fmt::format("#### {}\n\n", a.name);
  if (!a.strong.runs.empty()) out += fmt::format("Strong: {}. ", commands(a.strong));
  if (!a.weak.runs.empty()) out += fmt::format("Weak: {}. ", commands(a.weak));
  out += text(any, "work") == "annotated" ? "Work as the program declares it." : "Work measured on this computer.";
  if (const std::string note = text(any, "note"); !note.empty()) out += " " + note;
  out += "\n\n| PEs |";
  std::string rule = "\n|---|";
  for (const bool weak : {false, true}) {
    if ((weak ? a.weak : a.strong).runs.empty()) continue;
    const char* const which = weak ? "weak" : "strong";
    out += fmt::format(" {}: time | efficiency | messages | batches | bound by |", which);
    rule += "---|---|---|---|---|";
  }
  out += rule + "\n";
  for (const int pes : counts) {
    out += fmt::format("| {} |", pes);
    for (const bool weak : {false, true}) {
      const series& s = weak ? a.weak : a.strong;
      if (s.runs.empty()) continue;
      if (const json* const run = s.on(pes)) {
        out +=
            fmt::format(" {} | {:.3g} % | {} | {} | {} |", duration(series::time(*run)), 100 * s.efficiency(*run, weak),
                        run->at("messages").get<std::int64_t>(), run->at("batches").get<std::int64_t>(), bound(*run));
      } else {
        out += " - | - | - | - | - |";
      }
    }
    out += "\n";
  }
  return out + "\n";
}

std::string not_done(const json& study) {
  std::string list;
  for (const json& run : study.at("runs")) {
    if (text(run, "state") == "done") continue;
    list += fmt::format("- {} {}, {} PEs: {}, {}\n", text(run, "application"), text(run, "scaling"),
                        run.at("pes").get<int>(), text(run, "state"), text(run, "reason"));
  }
  return list.empty() ? "" : "### Left out\n\n" + list + "\n";
}

std::string page_of(const json& study, const std::vector<std::string>& pictures) {
  const std::vector<application> all = applications_of(study);
  std::string out = fmt::format("{}, on machine `{}`: {}.\n\n", text(study, "about"), text(study, "machine"),
                                text(study, "about_machine"));
  for (const std::string& picture : pictures)
    out += fmt::format("![{}]({})\n\n", fs::path(picture).stem().string(), picture);
  out +=
      "### In short\n\n" + overview(all) + "\n### Where more PEs are slower\n\n" + slower(all) + "\n" + not_done(study);
  out +=
      "### Each application\n\n"
      "Efficiency is against the first row. \"Bound by\" says what keeps the program from being faster: a cable or "
      "link, "
      "with the part of the time for which it is busy; computing, messages (sending and starting them), batches "
      "(handing "
      "them over and taking them) or switching, with the part of all PEs' time; one PE for which the others wait; or "
      "waiting, for the latency of one message after the other.\n\n";
  for (const application& a : all) out += details(a);
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

[[noreturn]] void fail(const fs::path& file, const std::string& trouble) {
  end_job(exit_code::failed, one_line(fmt::format("tsubu predict: {} cannot be written: {}", file.string(), trouble)));
}

}  // namespace

void write_study_page(const fs::path& study, const fs::path& page, const workplace& here) {
  const json told = json::parse(text_of(study.string()));
  std::error_code none;
  const fs::path beside = page.has_parent_path() ? page.parent_path() : fs::path(".");
  const bool has_images = fs::is_directory(beside / "images", none);
  const fs::path images = has_images ? beside / "images" : beside;
  const auto done = [](const json& run) { return text(run, "state") == "done"; };
  const bool any = std::any_of(told.at("runs").begin(), told.at("runs").end(), done);
  const std::string why = any ? draw_by("plot_study", study.string(), images.string(), here) : "nothing is done";
  std::vector<std::string> pictures;
  for (const char* how : {"strong", "weak"}) {
    const std::string name = fmt::format("study_{}_{}.png", text(told, "machine"), how);
    if (why.empty() && fs::exists(images / name, none)) pictures.push_back(has_images ? "images/" + name : name);
  }
  if (!why.empty()) fmt::print(stderr, "no pictures: {}\n", why);

  std::string whole = text_of(page.string());
  const std::string made = fmt::format("{}\n{}{}", begins, page_of(told, pictures), ends);
  const std::size_t from = whole.find(begins), to = whole.find(ends);
  if (from != whole.npos && to != whole.npos && from < to) {
    whole.replace(from, to + ends.size() - from, made);
  } else if (whole.empty()) {
    whole = fmt::format("# Scaling study: {}\n\n{}\n", text(told, "machine"), made);
  } else {
    end_job(exit_code::usage, one_line(fmt::format("tsubu predict: {} has no lines {} and {}, so nothing is put there",
                                                   page.string(), begins, ends)));
  }
  const std::string trouble = write_file({.file = page.string(), .mark = "", .force = true}, whole);
  if (!trouble.empty()) fail(page, trouble);
  fmt::print(stderr, "wrote {} and {}\n", one_line(page.string()), one_line(study.string()));
}

}  // namespace tsubu::command
