#include "tsubu/command/predict.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/picture.hpp"
#include "tsubu/command/quantity.hpp"
#include "tsubu/command/series.hpp"
#include "tsubu/command/simulated_run.hpp"
#include "tsubu/sim/machine.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
// Keeps the order in which a thing is put together.
using json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& text) { end_job(exit_code::usage, one_line("tsubu predict: " + text)); }

// One line on the standard error for each run; on a terminal it tells first what is going on.
class progress {
 public:
  void begin(int pes) const {
    if (terminal_) fmt::print(stderr, "{} PEs: running", pes);
  }
  void end(int pes, double ps, double seconds) const {
    fmt::print(stderr, "{}{} PEs: {}, simulated in {:.2f} s\n", terminal_ ? "\r\033[K" : "", pes, duration(ps),
               seconds);
  }
  void failed() const {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
};

json run_once(const prediction_job& job, int pes, const workplace& here) {
  simulated_job one = job.each;
  one.pes = pes;
  one.report = here.file("report.json");
  set_environment(one);
  const progress shown;
  shown.begin(pes);
  fs::remove(one.report);
  const std::int64_t begin_ns = now_ns();
  const int code = run_quietly(one.program, here.file("output"));
  const double took = static_cast<double>(now_ns() - begin_ns) * 1e-9;
  if (code != 0) {
    shown.failed();
    end_job(exit_code::failed, fmt::format("tsubu predict: on {} PEs the program ended with exit code {}:\n{}", pes,
                                           code, last_lines(text_of(here.file("output")), 20)));
  }
  if (!fs::exists(one.report)) {
    shown.failed();
    end_job(exit_code::failed,
            fmt::format("tsubu predict: {} wrote no report: is it a program of Tsubu?", job.each.program[0]));
  }
  const std::optional<json> summary = summary_of(text_of(one.report), !job.field.empty());
  if (!summary) {
    shown.failed();
    end_job(exit_code::failed,
            fmt::format("tsubu predict: on {} PEs {} left a report that is damaged", pes, job.each.program[0]));
  }
  json run = *summary;
  if (!job.field.empty()) {
    const std::optional<std::int64_t> told = told_ps(text_of(here.file("output")), job.field);
    if (!told) {
      end_job(exit_code::failed,
              fmt::format("tsubu predict: on {} PEs the program printed no line of JSON with a number \"{}\"; most "
                          "have an option --json",
                          pes, job.field));
    }
    run["time_ps"] = *told;
  }
  run["wall_seconds"] = took;
  shown.end(pes, run["time_ps"].get<double>(), took);
  return run;
}

// Adds to each run its speed-up over the first.
void compare(json& runs, bool weak) {
  const double first_ps = std::max(runs[0]["time_ps"].get<double>(), 1.0);
  const double first_pes = runs[0]["pes"].get<double>();
  for (json& run : runs) {
    const double faster = first_ps / std::max(run["time_ps"].get<double>(), 1.0);
    const double more = run["pes"].get<double>() / first_pes;
    run["speedup"] = weak ? faster * more : faster;
    run["efficiency"] = weak ? faster : faster / more;
  }
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = fs::path(words[0]).filename().string();
  for (std::size_t i = 1; i < words.size(); ++i) line += " " + words[i];
  return line;
}

std::string table(const json& prediction) {
  std::string text =
      fmt::format("{} on {} ({} work)\n{:>7} {:>8} {:>9} {:>10} {:>10} {:>8}", prediction["program"].get<std::string>(),
                  prediction["machine"].get<std::string>(), prediction["work"].get<std::string>(), "PEs", "time",
                  "speed-up", "efficiency", "messages", "bytes");
  for (const std::string_view part : parts_of_time) text += fmt::format(" {:>9}", fmt::format("{} %", part));
  text += "  bound by\n";
  for (const json& run : prediction["runs"]) {
    text += fmt::format("{:>7} {:>8} {:>9.3g} {:>9.1f}% {:>10} {:>8}", run["pes"].get<int>(),
                        duration(run["time_ps"].get<double>()), run["speedup"].get<double>(),
                        100 * run["efficiency"].get<double>(), run["messages"].get<std::int64_t>(),
                        bytes(run["bytes"].get<double>()));
    for (const std::string_view part : parts_of_time)
      text += fmt::format(" {:>9.1f}", 100 * run["shares"][part].get<double>());
    text += fmt::format("  {} ({:.0f} %)\n", run["bound"].get<std::string>(), 100 * run["bound_share"].get<double>());
  }
  return text;
}

std::string csv(const json& prediction) {
  std::string text = "pes,time_s,speedup,efficiency,messages,batches,bytes";
  for (const std::string_view part : parts_of_time) text += fmt::format(",{}_share", part);
  text += ",bound,bound_share,host_seconds,wall_seconds\n";
  for (const json& run : prediction["runs"]) {
    text +=
        fmt::format("{},{:.12g},{:.6g},{:.6g},{},{},{}", run["pes"].get<int>(), run["time_ps"].get<double>() * 1e-12,
                    run["speedup"].get<double>(), run["efficiency"].get<double>(), run["messages"].get<std::int64_t>(),
                    run["batches"].get<std::int64_t>(), run["bytes"].get<std::int64_t>());
    for (const std::string_view part : parts_of_time) text += fmt::format(",{:.6f}", run["shares"][part].get<double>());
    text += fmt::format(",{},{:.6f},{:.6f},{:.6f}\n", run["bound"].get<std::string>(), run["bound_share"].get<double>(),
                        run["host_seconds"].get<double>(), run["wall_seconds"].get<double>());
  }
  return text;
}

void write(const fs::path& file, const std::string& text) {
  const std::string trouble = write_file({.file = file.string(), .mark = "", .force = true}, text);
  if (!trouble.empty())
    end_job(exit_code::failed,
            one_line(fmt::format("tsubu predict: {} cannot be written: {}", file.string(), trouble)));
}

void plot(const fs::path& folder, const workplace& here) {
  const std::string why = draw_by("plot_prediction", (folder / "prediction.json").string(), folder.string(), here);
  if (why.empty()) {
    fmt::print(stderr, "wrote {0}/prediction.png, .svg, .json and .csv\n", one_line(folder.string()));
  } else {
    fmt::print(stderr, "wrote {}/prediction.json and .csv, but no picture: {}\n", one_line(folder.string()), why);
  }
}

}  // namespace

int predict(const prediction_job& job) {
  const std::vector<int> counts = series_of("tsubu predict: --pes", job.pes);
  const sim::machine machine = sim::read_machine(job.each.machine.empty() ? "cluster" : job.each.machine);
  for (const int pes : counts) sim::check_pes(machine, pes);
  const fs::path folder = job.folder;
  if (!job.folder.empty()) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) refuse(fmt::format("--out {}: {}", job.folder, error.message()));
  }
  const workplace here;
  json prediction = {{"program", command_line(job.each.program)},
                     {"machine", machine.name},
                     {"about", machine.about},
                     {"work", job.each.work.empty() ? "annotated" : job.each.work},
                     {"seed", job.each.seed},
                     {"weak", job.weak},
                     {"time", job.field.empty() ? "whole job" : job.field},
                     {"runs", json::array()}};
  for (const int pes : counts) prediction["runs"].push_back(run_once(job, pes, here));
  compare(prediction["runs"], job.weak);
  if (!job.folder.empty()) {
    write(folder / "prediction.json", prediction.dump(1) + "\n");
    write(folder / "prediction.csv", csv(prediction));
    plot(folder, here);
  }
  write_output(job.json ? prediction.dump() + "\n" : table(prediction));
  return 0;
}

}  // namespace tsubu::command
