#include "tsubu/command/study.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/children.hpp"
#include "tsubu/command/quantity.hpp"
#include "tsubu/command/series.hpp"
#include "tsubu/command/simulated_run.hpp"
#include "tsubu/command/study_file.hpp"
#include "tsubu/command/study_page.hpp"
#include "tsubu/command/suite_file.hpp"
#include "tsubu/command/verdict.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/shape.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr double usual_limit_s = 120, quick_limit_s = 20;
constexpr double asleep = 20;  // times the limit of processor time, by the clock; and for a short one:
constexpr double least_wall_limit_s = 10;
constexpr int quick_pes = 64;
constexpr std::int64_t mib = 1 << 20;

std::int64_t available_bytes() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %lld kB", &kib) == 1) return kib * 1024;
  }
  return 1024 * mib;
}

// ---- what is to be run

struct planned {
  enum class state { waiting, running, done, failed, left_out };

  std::size_t application = 0;
  scaling how = scaling::strong;
  int pes = 0;
  child_task task;
  std::string report;  // the file
  std::int64_t expected_bytes = 0;
  state is = state::waiting;
  bool kept = false;  // from the study before
  json told;          // what study.json says of it

  bool of_series(const planned& other) const { return application == other.application && how == other.how; }
};

class scaling_study {
 public:
  explicit scaling_study(const study_job& job);
  int run();

 private:
  void plan(std::size_t application, scaling how, const std::vector<int>& counts);
  void keep_what_is_known();
  bool start_one();
  void take(const child_end& r);
  void leave_out(planned& p, const std::string& why);
  std::string trouble_of(const planned& p, const child_end& r) const;
  void show(const planned& p);
  void show_running() const;
  void write() const;
  double extrapolated(const planned& p, const char* what, double of_nothing, bool* is_known) const;

  const study_job& job_;
  const suite suite_;
  const sim::machine machine_, machine_measured_;
  const std::string machine_digest_;
  const fs::path folder_;
  const double limit_s_, wall_limit_s_;
  const std::int64_t memory_;
  const std::size_t jobs_;
  const workplace here_;
  const bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  std::vector<planned> runs_;  // few PEs first
  children children_;
  json others_ = json::array();  // what an earlier study knows of runs that this one leaves out
  std::size_t told_ = 0;
  std::int64_t began_ns_ = now_ns();
};

std::string name_of_machine(const study_job& job) { return job.machine.empty() ? "cluster" : job.machine; }

fs::path folder_of(const study_job& job, const sim::machine& on) {
  const fs::path folder = job.folder.empty() ? "study-" + on.name : job.folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse_study(fmt::format("--out {}: {}", folder.string(), error.message()));
  return folder;
}

scaling_study::scaling_study(const study_job& job)
    : job_(job),
      suite_(read_suite(job.suite)),
      machine_(sim::read_machine(name_of_machine(job))),
      machine_measured_(sim::for_measured_work(machine_)),
      machine_digest_(digest_of(text_of(machine_.file))),
      folder_(folder_of(job, machine_)),
      limit_s_(job.limit_s > 0 ? job.limit_s : (job.quick ? quick_limit_s : usual_limit_s)),
      wall_limit_s_(job.wall_limit_s > 0 ? job.wall_limit_s : std::max(asleep * limit_s_, least_wall_limit_s)),
      memory_(job.memory_mib > 0 ? job.memory_mib * mib : available_bytes() / 5 * 4),
      jobs_(static_cast<std::size_t>(job.jobs > 0 ? job.jobs : transport::usable_cores())) {
  for (const std::string& name : job.only) {
    const auto is_it = [&](const suite_application& a) { return a.name == name; };
    if (std::any_of(suite_.applications.begin(), suite_.applications.end(), is_it)) continue;
    std::string all;
    for (const suite_application& a : suite_.applications) all += (all.empty() ? "" : ", ") + a.name;
    refuse_study(fmt::format("--only {}: {} has {}", name, suite_.file, all));
  }
  const std::vector<int> asked = job.pes.empty() ? std::vector<int>{} : series_of("tsubu predict: --pes", job.pes);
  for (std::size_t i = 0; i < suite_.applications.size(); ++i) {
    const suite_application& a = suite_.applications[i];
    if (!job.only.empty() && std::find(job.only.begin(), job.only.end(), a.name) == job.only.end()) continue;
    if (a.has_strong) plan(i, scaling::strong, asked.empty() ? a.pes : asked);
    if (a.has_weak) plan(i, scaling::weak, asked.empty() ? a.pes : asked);
  }
  // What is small is known soon, and says what the large ones will take.
  std::stable_sort(runs_.begin(), runs_.end(), [](const planned& a, const planned& b) { return a.pes < b.pes; });
  if (runs_.empty()) refuse_study(fmt::format("{} has nothing to run on so many PEs", suite_.file));
}

void scaling_study::plan(std::size_t application, scaling how, const std::vector<int>& counts) {
  const suite_application& a = suite_.applications[application];
  for (const int pes : counts) {
    if ((job_.up_to > 0 && pes > job_.up_to) || (job_.quick && pes > quick_pes && job_.pes.empty())) continue;
    // The suite's own numbers may be more than the machine has room for.
    if (job_.pes.empty() && pes > sim::room_for(machine_)) continue;
    sim::check_pes(machine_, pes);
    planned p;
    p.application = application;
    p.how = how;
    p.pes = pes;
    p.task.words = {a.program};
    for (const std::vector<std::string>& some : {how == scaling::strong ? a.strong : a.weak, a.arguments}) {
      for (const std::string& word : some) p.task.words.push_back(argument_on(word, pes));
    }
    const std::string place = here_.file(std::to_string(runs_.size()));
    p.report = place + ".report";
    p.task.output = place + ".output";
    p.task.limit_s = limit_s_;
    p.task.wall_limit_s = wall_limit_s_;
    p.task.limit_bytes = memory_;
    p.task.environment = {
        {"TSUBU_TRANSPORT", "sim"}, {"TSUBU_MACHINE", machine_.file},   {"TSUBU_WORK", a.work},
        {"TSUBU_REPORT", p.report}, {"TSUBU_PES", std::to_string(pes)}, {"TSUBU_SEED", std::to_string(job_.seed)}};
    std::string line = fs::path(a.program).filename().string();
    for (std::size_t i = 1; i < p.task.words.size(); ++i) line += " " + p.task.words[i];
    p.told = {{"application", a.name},
              {"scaling", name_of(how)},
              {"pes", pes},
              {"command", line},
              {"work", a.work},
              {"field", a.field},
              {"seed", job_.seed},
              {"machine", machine_digest_},
              {"program", stamp_of(a.program)}};
    runs_.push_back(std::move(p));
  }
}

// What tells one run of a suite from the others.
constexpr const char* of_run[] = {"application", "scaling", "pes"};

// Takes over what an earlier study of this folder has found, if it was asked the same of the same.
void scaling_study::keep_what_is_known() {
  const json all = runs_of_earlier_study(folder_ / "study.json");
  for (const json& run : all) {
    const auto planned_now = [&](const planned& p) {
      return std::all_of(std::begin(of_run), std::end(of_run),
                         [&](const char* key) { return run.value(key, json()) == p.told.at(key); });
    };
    if (run.value("state", "") == "done" && std::none_of(runs_.begin(), runs_.end(), planned_now))
      others_.push_back(run);
  }
  for (planned& p : runs_) {
    const auto same = [&](const json& run) {
      return std::all_of(p.told.items().begin(), p.told.items().end(), [&](const auto& item) {
        return run.contains(item.key()) && run.at(item.key()) == item.value();
      });
    };
    const auto known = std::find_if(all.begin(), all.end(), same);
    if (known == all.end()) continue;
    const auto state = known->value("state", "");
    if (state == "done") p.is = planned::state::done;
    const bool too_late =
        known->value("limit_s", 0.0) >= limit_s_ || known->value("wall_limit_s", 0.0) >= wall_limit_s_;
    if (state == "left out" && too_late) p.is = planned::state::left_out;
    if (p.is == planned::state::waiting) continue;
    p.told = *known;
    p.kept = true;
    ++told_;
  }
  if (told_ > 0) {
    fmt::print(stderr, "{} of {} runs are known from {}/study.json\n", told_, runs_.size(), one_line(folder_.string()));
  }
}

// As the smaller runs of the series suggest, by a power of the PEs.
double scaling_study::extrapolated(const planned& p, const char* what, double of_nothing, bool* is_known) const {
  const planned *last = nullptr, *before = nullptr;
  for (const planned& other : runs_) {
    if (other.is != planned::state::done || !other.of_series(p) || other.pes >= p.pes) continue;
    before = std::exchange(last, &other);
  }
  if (is_known != nullptr) *is_known = last != nullptr;
  if (last == nullptr) return of_nothing;
  const double of_last = last->told.value(what, 0.0);
  double power = p.how == scaling::weak ? 1 : 0.5;
  if (before != nullptr) {
    const double of_before = std::max(before->told.value(what, 0.0), 1e-9);
    power =
        std::clamp(std::log(of_last / of_before) / std::log(static_cast<double>(last->pes) / before->pes), 0.0, 2.0);
  }
  return of_last * std::pow(static_cast<double>(p.pes) / last->pes, power);
}

void scaling_study::leave_out(planned& p, const std::string& why) {
  p.is = planned::state::left_out;
  p.told["state"] = "left out";
  p.told["reason"] = why;
  show(p);
}

// Starts the next run that may be started now. False: there is none.
bool scaling_study::start_one() {
  if (children_.running() >= jobs_) return false;
  std::int64_t taken = 0;
  for (const std::size_t number : children_.who()) taken += runs_[number].expected_bytes;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    planned& p = runs_[i];
    if (p.is != planned::state::waiting) continue;
    // What the smaller ones of its series are, it will be too.
    const planned* smaller = nullptr;
    for (const planned& other : runs_) {
      if (other.of_series(p) && other.pes < p.pes) smaller = &other;
    }
    if (smaller != nullptr) {
      if (smaller->is == planned::state::waiting || smaller->is == planned::state::running) continue;
      if (smaller->is == planned::state::left_out) {
        leave_out(p, fmt::format("{} PEs were left out before", smaller->pes));
        continue;
      }
      if (smaller->is == planned::state::failed) {
        leave_out(p, fmt::format("{} PEs failed", smaller->pes));
        continue;
      }
    }
    bool is_known = false;
    constexpr double assumed_bytes = 64.0 * mib, assumed_bytes_of_pe = 0.7 * mib;
    p.expected_bytes = static_cast<std::int64_t>(
        extrapolated(p, "resident_bytes", assumed_bytes + assumed_bytes_of_pe * p.pes, &is_known));
    if (p.expected_bytes > memory_) {
      leave_out(p, fmt::format("it would take about {} of memory, of {}", bytes(static_cast<double>(p.expected_bytes)),
                               bytes(static_cast<double>(memory_))));
      continue;
    }
    const double seconds = extrapolated(p, "processor_seconds", 0, nullptr);
    if (seconds > limit_s_) {
      leave_out(p, fmt::format("it would take about {:.2g} s, of {:g} s", seconds, limit_s_));
      continue;
    }
    if (children_.running() > 0 && taken + p.expected_bytes > memory_) continue;
    p.is = planned::state::running;
    children_.start(i, p.task);
    return true;
  }
  return false;
}

std::string scaling_study::trouble_of(const planned& p, const child_end& r) const {
  const std::string said = last_lines(text_of(p.task.output), 1);
  if (r.how == child_end::end::not_started) return said;
  if (r.how == child_end::end::too_talkative) {
    return fmt::format("printed more than {} MiB, and was ended", most_output_bytes >> 20);
  }
  if (r.code != 0) return fmt::format("ended with exit code {}: {}", r.code, said);
  std::error_code none;
  if (!fs::exists(p.report, none)) return "wrote no report: is it a program of Tsubu?";
  return "";
}

void scaling_study::take(const child_end& r) {
  planned& p = runs_[r.task];
  const suite_application& a = suite_.applications[p.application];
  p.told["processor_seconds"] = r.seconds;
  p.told["resident_bytes"] = r.most_bytes;
  if (r.how == child_end::end::too_late) {
    p.told["limit_s"] = limit_s_;  // so that it is not tried again within the same limit
    return leave_out(p, fmt::format("it took more than {:g} s", limit_s_));
  }
  if (r.how == child_end::end::too_late_by_the_clock) {
    p.told["wall_limit_s"] = wall_limit_s_;
    return leave_out(p, fmt::format("it took more than {:g} s by the clock", wall_limit_s_));
  }
  if (r.how == child_end::end::too_large) {
    return leave_out(p, fmt::format("it took more than {} of memory", bytes(static_cast<double>(memory_))));
  }
  std::string trouble = trouble_of(p, r);
  std::optional<json> summary;
  if (trouble.empty()) {
    summary = summary_of(text_of(p.report), !a.field.empty());
    if (!summary) trouble = "left a report that is damaged";
  }
  std::optional<std::int64_t> told;
  if (trouble.empty() && !a.field.empty()) {
    told = told_ps(text_of(p.task.output), a.field);
    if (!told) {
      trouble =
          fmt::format("printed no line of JSON with a number \"{}\"; most programs have an option --json", a.field);
    }
  }
  if (trouble.empty()) {
    json run = *std::move(summary);
    const verdict v = verdict_of(run, a.work == "annotated" ? machine_ : machine_measured_);
    if (told) run["time_ps"] = *told;
    for (const auto& [key, value] : run.items()) p.told[key] = value;
    p.told["bound_by"] = v.by;
    p.told["bound_how"] = v.reason;
    p.told["of_batches"] = v.batches;
    p.told["of_messages"] = v.messages;
    p.told["state"] = "done";
    p.is = planned::state::done;
  } else {
    p.told["state"] = "failed";
    p.told["reason"] = trouble;
    p.is = planned::state::failed;
  }
  std::error_code none;
  fs::remove(p.report, none);
  show(p);
}

void scaling_study::show(const planned& p) {
  ++told_;
  const std::string what = fmt::format("[{}/{}] {} {}, {} PEs: ", told_, runs_.size(),
                                       p.told["application"].get<std::string>(), name_of(p.how), p.pes);
  fmt::print(stderr, "{}{}", terminal_ ? "\r\033[K" : "", what);
  if (p.is == planned::state::done) {
    fmt::print(stderr, "{}, bound by {} ({}); simulated in {:.1f} s, {}\n", duration(p.told["time_ps"].get<double>()),
               p.told["bound_by"].get<std::string>(), p.told["bound_how"].get<std::string>(),
               p.told["processor_seconds"].get<double>(), bytes(p.told["resident_bytes"].get<double>()));
  } else {
    fmt::print(stderr, "{}{}\n",
               p.is == planned::state::failed ? "failed: " : "left out: ", p.told["reason"].get<std::string>());
  }
}

void scaling_study::show_running() const {
  if (!terminal_) return;
  std::string text;
  for (const std::size_t number : children_.who()) {
    const planned& p = runs_[number];
    text += fmt::format("{}{} {} on {}", text.empty() ? "" : "; ", p.told["application"].get<std::string>(),
                        name_of(p.how), p.pes);
  }
  const double seconds = static_cast<double>(now_ns() - began_ns_) * 1e-9;
  fmt::print(stderr, "\r\033[K{} of {} after {:.0f} s; running: {}", told_, runs_.size(), seconds, text);
  std::fflush(stderr);
}

void scaling_study::write() const {
  json all = {{"suite", fs::path(suite_.file).filename().string()},
              {"about", suite_.about},
              {"machine", machine_.name},
              {"about_machine", machine_.about},
              {"runs", json::array()}};
  // As people read them: by application, scaling and PEs.
  std::vector<const planned*> in_order;
  for (const planned& p : runs_) in_order.push_back(&p);
  std::stable_sort(in_order.begin(), in_order.end(), [](const planned* a, const planned* b) {
    return std::pair(a->application, a->how) < std::pair(b->application, b->how);
  });
  for (const planned* p : in_order) {
    json told = p->told;
    told["note"] = suite_.applications[p->application].note;
    if (told.contains("state")) all["runs"].push_back(std::move(told));
  }
  all["kept"] = others_;
  write_study_file(folder_ / "study.json", all);
}

int scaling_study::run() {
  keep_what_is_known();
  for (;;) {
    while (start_one()) show_running();
    if (children_.running() == 0) break;
    take(children_.next());
    write();
    show_running();
  }
  if (terminal_) fmt::print(stderr, "\r\033[K");
  write();
  const auto count = [&](planned::state is) {
    return std::count_if(runs_.begin(), runs_.end(), [&](const planned& p) { return p.is == is; });
  };
  const auto failed = count(planned::state::failed);
  fmt::print(stderr, "{} runs in {:.0f} s: {} done, {} left out, {} failed\n", runs_.size(),
             static_cast<double>(now_ns() - began_ns_) * 1e-9, count(planned::state::done),
             count(planned::state::left_out), failed);
  write_study_page(folder_ / "study.json", job_.page.empty() ? folder_ / "study.md" : fs::path(job_.page), here_);
  return failed == 0 ? 0 : 1;
}

}  // namespace

int study(const study_job& job) { return scaling_study(job).run(); }

}  // namespace tsubu::command
