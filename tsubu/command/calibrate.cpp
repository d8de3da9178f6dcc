#include "tsubu/command/calibrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/child.hpp"
#include "tsubu/command/launch.hpp"
#include "tsubu/command/quantity.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

// A machine whose messages take nothing: what a job takes on it by this computer's clock is the runtime's own code. Its
// clock is this computer's, since batches are tuned by it.
constexpr std::string_view free_machine = R"(name = "free"
about = "messages that take nothing"
source = "made up"
pes = 2
[cost]
packet_send = "0 ns"
packet_execute = "0 ns"
task_switch = "0 ns"
batch_send = "0 ns"
batch_receive = "0 ns"
look = "1 ns"
[network]
topology = "full"
latency = "1 ns"
)";

// The repetitions of a figure, in nanoseconds.
struct measured {
  double median = 0;
  double spread = 0;  // (max - min) / median
};

measured figure(const json& line, const char* name) {
  auto values = line.at(name).get<std::vector<double>>();
  std::sort(values.begin(), values.end());
  const double median = values[values.size() / 2];
  return {median, median > 0 ? (values.back() - values.front()) / median : 0};
}

json run_job(const std::vector<std::string>& words, const workplace& here) {
  const int code = run_quietly(words, here.file("output"));
  const std::string output = text_of(here.file("output"));
  const std::string line = json_line_of(output);
  if (code != 0 || line.empty()) {
    end_job(exit_code::failed, fmt::format("tsubu calibrate: {} ended with exit code {}:\n{}", fmt::join(words, " "),
                                           code, last_lines(output, 20)));
  }
  return json::parse(line);
}

// Only what this program gives its jobs shall count.
void forget_settings() {
  std::vector<std::string> names;
  for (char** v = environ; v != nullptr && *v != nullptr; ++v) {
    const std::string_view entry = *v;
    if (entry.starts_with("TSUBU_")) names.emplace_back(entry.substr(0, entry.find('=')));
  }
  for (const std::string& name : names) {
    if (name != "TSUBU_PLUGINS") ::unsetenv(name.c_str());
  }
}

// This computer in a few words, such as "2-core x86-64 VM".
std::string computer() {
  struct utsname name{};
  ::uname(&name);
  std::string kind = name.machine;
  std::replace(kind.begin(), kind.end(), '_', '-');
  const bool guest = text_of("/proc/cpuinfo").find(" hypervisor") != std::string::npos;
  return fmt::format("{}-core {}{}", transport::usable_cores(), kind, guest ? " VM" : "");
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  struct tm parts{};
  ::gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// What a machine's file says, in nanoseconds, and nanoseconds a byte.
struct costs {
  double packet_send, packet_execute, task_switch, batch_send, batch_receive, batch_byte, bulk_byte, look, latency;
};

// What a message in a crowd costs is the packet's as far as it is the runtime's own code; the rest is its bytes', at
// both sides.
costs all_costs(const json& real, const json& own_code) {
  const auto ns = [&](const char* name) { return figure(real, name).median; };
  costs c{};
  c.task_switch = ns("task_switch");
  c.look = std::max(ns("lone_yield") - c.task_switch, 0.1);
  const double packet = std::min(figure(own_code, "crowd").median, ns("crowd"));
  c.batch_byte = (ns("crowd") - packet) / (2 * sizeof(std::uint64_t));
  c.packet_send = std::clamp(ns("sending_share"), 0.1, 0.9) * packet;
  c.packet_execute = packet - c.packet_send;
  c.batch_send = std::max(ns("lone_send") - c.packet_send, 0.0);
  c.batch_receive = std::max(ns("lone_receive") - c.packet_execute, 0.0);
  c.latency = std::max((ns("round_trip") - c.task_switch) / 2 - ns("lone_send") - ns("lone_receive"), 1.0);
  c.bulk_byte =
      std::max((ns("bulk_byte") - figure(own_code, "bulk_byte").median) / 2, 1e-3);  // without the writing itself
  return c;
}

// The costs that remain where a job's clock measures the runtime's own code anyway.
costs costs_beside(const json& real, const json& own_code) {
  const auto ns = [&](const char* name) { return figure(real, name).median - figure(own_code, name).median; };
  costs c{};
  c.batch_send = std::max(ns("lone_send"), 0.0);
  c.batch_receive = std::max(ns("lone_receive"), 0.0);
  c.batch_byte = std::max(ns("crowd") / (2 * sizeof(std::uint64_t)), 0.0);
  c.latency = std::max(ns("round_trip") / 2 - c.batch_send - c.batch_receive, 1.0);
  c.bulk_byte = std::max(ns("bulk_byte") / 2, 1e-3);
  return c;
}

// Without an exponent, however large it is: machine files have none.
std::string time_line(std::string_view key, double ns) { return fmt::format("{} = \"{:.3f} ns\"\n", key, ns); }

// The line of a cost in a byte; empty if it costs nothing.
std::string byte_line(std::string_view key, double ns) {
  return ns < 1e-4 ? "" : fmt::format("{} = \"{:.3f} GB/s\"\n", key, 1 / ns);
}

constexpr const char* file_begins = "# Written by `tsubu calibrate";

std::string toml(const std::string& name, const calibration& how, const json& real, const costs& c,
                 const costs& beside) {
  std::string text = fmt::format(
      "{7} --transport {0} -n {1}`; docs/prediction.md says what is measured, and how.\n"
      "name = \"{2}\"\n"
      "about = \"{3}, PEs on {0}, measured by tsubu calibrate\"\n"
      "source = \"Measured on {4} on a {3}: medians of {5} repetitions, between the first and the last of {1} PEs\"\n"
      "pes = {1}\nclock = \"{6:.3g} GHz\"\n\n",
      how.transport, how.pes, name, computer(), today(), how.repetitions, real.at("ticks_per_ns").get<double>(),
      file_begins);
  text += "[cost]\n" + time_line("packet_send", c.packet_send) + time_line("packet_execute", c.packet_execute) +
          time_line("task_switch", c.task_switch) + time_line("batch_send", c.batch_send) +
          time_line("batch_receive", c.batch_receive) + byte_line("batch_byte", c.batch_byte) +
          byte_line("bulk_byte", c.bulk_byte) + time_line("look", c.look);
  text += "\n[network]\ntopology = \"full\"\n" + time_line("latency", c.latency);
  text +=
      "\n# In the place of the above where work is measured: without the runtime's own code, which is measured with "
      "it.\n";
  text += "[measured]\n" + time_line("batch_send", beside.batch_send) +
          time_line("batch_receive", beside.batch_receive) + byte_line("batch_byte", beside.batch_byte) +
          byte_line("bulk_byte", beside.bulk_byte) + time_line("latency", beside.latency);
  text += "\n# (max - min) / median over the repetitions of what each figure rests on.\n[spread]\n";
  constexpr std::pair<const char*, const char*> rests[] = {
      {"packet_send", "crowd"},    {"packet_execute", "crowd"},       {"task_switch", "task_switch"},
      {"batch_send", "lone_send"}, {"batch_receive", "lone_receive"}, {"batch_byte", "crowd"},
      {"look", "lone_yield"},      {"latency", "round_trip"},         {"bulk_byte", "bulk_byte"}};
  for (const auto& [key, on] : rests) text += fmt::format("{} = {:.2f}\n", key, figure(real, on).spread);
  return text;
}

void write(const std::string& file, std::string_view text, bool force = false) {
  const std::string trouble = write_file({.file = file, .mark = file_begins, .force = force}, text);
  if (!trouble.empty())
    end_job(exit_code::failed, one_line(fmt::format("tsubu calibrate: {} cannot be written: {}", file, trouble)));
}

}  // namespace

int calibrate(const calibration& how) {
  const std::string name = fs::path(how.file).stem().string();
  if (!how.file.ends_with(".toml") || name.empty()) {
    end_job(
        exit_code::usage,
        one_line(fmt::format("tsubu calibrate: --out {}: a file whose name ends with .toml is expected", how.file)));
  }
  forget_settings();
  const workplace here;
  std::vector<std::string> job{own_path(), "calibration-job", std::to_string(how.repetitions), how.quick ? "1" : "10"};
  std::vector<std::string> simulated = job;
  simulated.insert(simulated.end(), {"--tsubu-transport=sim", "--tsubu-machine=" + here.file("free.toml"),
                                     "--tsubu-work=measured", "--tsubu-pes=" + std::to_string(how.pes)});
  if (how.transport == "threads") {
    job.insert(job.end(), {"--tsubu-transport=threads", "--tsubu-pes=" + std::to_string(how.pes)});
  } else {
    job = launch_line(choose_mpi(how.transport), how.pes, 1, job);
  }
  const json real = run_job(job, here);
  write(here.file("free.toml"),
        fmt::format("clock = \"{:.6f} GHz\"\n{}", real.at("ticks_per_ns").get<double>(), free_machine));
  const json own_code = run_job(simulated, here);
  write(how.file, toml(name, how, real, all_costs(real, own_code), costs_beside(real, own_code)), how.force);
  sim::read_machine(how.file.find('/') == std::string::npos ? "./" + how.file : how.file);

  fmt::print("{:<16} {:>10} {:>8}   {}\n", "measured", "ns", "spread", "of it the runtime's own code");
  for (const char* of :
       {"task_switch", "lone_yield", "crowd", "lone_send", "lone_receive", "round_trip", "bulk_byte"}) {
    const measured m = figure(real, of);
    fmt::print("{:<16} {:>10.4g} {:>7.0f}%   {:.4g}\n", of, m.median, 100 * m.spread, figure(own_code, of).median);
  }
  fmt::print("wrote {}\n", one_line(how.file));
  return 0;
}

}  // namespace tsubu::command
