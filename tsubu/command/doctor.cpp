#include "tsubu/command/doctor.hpp"

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <vector>

#include "tsubu/base/printable.hpp"
#include "tsubu/command/launch.hpp"
#include "tsubu/run/plugins.hpp"
#include "tsubu/run/transports.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::command {
namespace {

enum class verdict { ok, warn, fail };

struct finding {
  verdict how;
  std::string what;
  std::string found;
  std::string mend;  // empty when nothing is wrong
};

struct outcome {
  int code;
  std::string output;
};

// What a command printed on both streams, and its exit code. Ended after 30 seconds.
outcome output_of(const std::vector<std::string>& words) {
  std::string line = "timeout 30";
  for (const std::string& word : words) line += fmt::format(" '{}'", word);
  line += " 2>&1";
  FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return {127, "popen failed"};
  std::string text;
  char piece[256];
  while (std::fgets(piece, sizeof piece, pipe) != nullptr) text += piece;
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, text};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

finding check_compiler() {
  for (const char* name : {"g++", "clang++-19", "clang++"}) {
    const outcome version = output_of({name, "--version"});
    if (version.code == 0) return {verdict::ok, "compiler", first_line(version.output), ""};
  }
  return {verdict::warn, "compiler", "none found", "install g++ 12 or clang 19 or later to build programs"};
}

finding check_cores() {
  const int usable = transport::usable_cores();
  const int all = static_cast<int>(std::thread::hardware_concurrency());
  const std::string found = fmt::format("{} usable of {}", usable, all);
  if (usable < all) {
    return {verdict::warn, "cores", found,
            "this process is bound to some of the cores; start it without taskset or a batch "
            "system's limit to use all"};
  }
  return {verdict::ok, "cores", found, ""};
}

finding check_binding() {
  const int usable = transport::usable_cores();
  return {verdict::ok, "binding",
          fmt::format("jobs of 2 to {} PEs on threads bind each to a core (--tsubu-bind=off: not)", usable), ""};
}

finding check_memory() {
  struct sysinfo info{};
  if (::sysinfo(&info) != 0) return {verdict::warn, "memory", "cannot be asked", "look with `free`"};
  const double gib = static_cast<double>(info.freeram + info.bufferram) * info.mem_unit / (1 << 30);
  const double total = static_cast<double>(info.totalram) * info.mem_unit / (1 << 30);
  const std::string found = fmt::format("{:.1f} GiB, {:.1f} GiB of it unused", total, gib);
  if (total < 1) return {verdict::warn, "memory", found, "less than 1 GiB: NPB class B needs more"};
  return {verdict::ok, "memory", found, ""};
}

finding check_shared_memory() {
  // Processes of one node exchange messages through it, under both MPIs.
  if (::access("/dev/shm", W_OK) == 0) return {verdict::ok, "shared memory", "/dev/shm can be written", ""};
  return {verdict::fail, "shared memory", "/dev/shm cannot be written",
          "mount a tmpfs there (in a container: give it one); MPI on one node needs it"};
}

finding check_variables() {
  std::string set;
  for (char** v = environ; v != nullptr && *v != nullptr; ++v) {
    const std::string_view entry = *v;
    if (entry.starts_with("TSUBU_")) set += (set.empty() ? "" : " ") + std::string(entry);
  }
  return {verdict::ok, "variables", set.empty() ? "no TSUBU_ variable is set" : set, ""};
}

// What the job says of itself, whatever an MPI has printed before; each job of its own that the launcher has made of
// one says it, so they are counted.
std::vector<std::string> hellos_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("hello from ")) lines.push_back(line);
  }
  return lines;
}

finding check_hello(const std::string& what, const std::string& right, const std::vector<std::string>& line) {
  const outcome ran = output_of(line);
  const std::vector<std::string> hellos = hellos_in(ran.output);
  const std::string said = hellos.empty() ? first_line(ran.output) : hellos[0];
  if (ran.code == 0 && hellos.size() == 1 && said.starts_with(right)) return {verdict::ok, what, said, ""};
  std::string found = fmt::format("exit code {}: {}", ran.code, said);
  if (ran.code == 0) found = fmt::format("\"{}\" is expected once; {} jobs said: {}", right, hellos.size(), said);
  std::string command;
  for (const std::string& word : line) command += (command.empty() ? "" : " ") + word;
  return {verdict::fail, what, found, "see what this prints: " + command};
}

// Whether jobs can be started on it, as far as files tell.
bool is_complete(std::string_view mpi) {
  return !find_launcher(mpi).empty() && !run_detail::find_plugin(mpi, "").empty();
}

// A launcher of MPICH's kind may be for two plug-ins.
std::vector<std::string> line_on(std::string_view mpi, int ranks, int pes_per_rank, const std::string& self) {
  std::vector<std::string> line = launch_line(mpi, ranks, pes_per_rank, {self, "hello"});
  if (mpi != "openmpi") line.insert(line.begin(), {"env", fmt::format("TSUBU_TRANSPORT={}", mpi)});
  return line;
}

void check_mpi(std::string_view mpi, bool another_is_complete, const std::string& self,
               std::vector<finding>& findings) {
  const std::string name(mpi);
  const std::string launcher = find_launcher(mpi);
  std::vector<std::string> looked_in;
  const std::string plugin = run_detail::find_plugin(mpi, "", &looked_in);
  const std::string package = mpi == "openmpi" ? "openmpi-bin libopenmpi-dev" : "mpich libmpich-dev";
  if (mpi == "mpi_abi" && launcher.empty()) {
    findings.push_back({verdict::ok, name, "no mpirun has a libmpi_abi.so.1 in ../lib, the standard ABI of MPI 5", ""});
    return;
  }
  if (mpi == "mpich" && !launcher.empty() && launcher == find_launcher("mpi_abi") && is_complete("mpi_abi")) {
    findings.push_back({verdict::ok, name, launcher + " has the standard ABI, too: see mpi_abi", ""});
    return;
  }
  if (launcher.empty() && another_is_complete) {
    findings.push_back(
        {verdict::ok, name, "not installed",
         fmt::format("only if you want it: install {}{}", package, plugin.empty() ? " and build Tsubu again" : "")});
    return;
  }
  if (launcher.empty() && plugin.empty()) {
    findings.push_back({verdict::ok, name, "not installed; Tsubu was built without it",
                        fmt::format("only if you want it: install {} and build Tsubu again", package)});
    return;
  }
  if (launcher.empty()) {
    findings.push_back({verdict::fail, name,
                        "the plug-in is there, but no mpirun." + name + " and no mpirun of that MPI",
                        fmt::format("install {}", package)});
    return;
  }
  findings.push_back({verdict::ok, name + " launcher", launcher, ""});
  if (plugin.empty()) {
    findings.push_back({verdict::warn, name + " plug-in",
                        "tsubu-transport-" + name + ".so is in no folder Tsubu looks in",
                        fmt::format("install {} and build Tsubu again, or set TSUBU_PLUGINS to its folder", package)});
    return;
  }
  findings.push_back({verdict::ok, name + " plug-in", plugin, ""});
  const std::string right = "hello from 2 PEs on " + name;
  findings.push_back(check_hello(name + " job", right, line_on(mpi, 2, 1, self)));
  findings.push_back(check_hello(name + " shared rank", right, line_on(mpi, 1, 2, self)));
  if (mpi != "openmpi") {
    findings.push_back(
        {verdict::ok, name + " oversubscribed",
         fmt::format("it spins while it waits: more than {} ranks here are slow", transport::usable_cores()),
         "use Open MPI, or threads, for more PEs than cores"});
  } else {
    findings.push_back(
        {verdict::ok, name + " oversubscribed",
         fmt::format("more than {} ranks need --oversubscribe; `tsubu run` adds it", transport::usable_cores()), ""});
  }
}

const char* word(verdict v) {
  switch (v) {
    case verdict::ok:
      return "ok";
    case verdict::warn:
      return "warn";
    default:
      return "FAIL";
  }
}

}  // namespace

int doctor(const std::string& self) {
  std::vector<finding> findings{check_compiler(), check_cores(),         check_binding(),
                                check_memory(),   check_shared_memory(), check_variables()};
  findings.push_back(check_hello("threads job", "hello from ", {self, "hello", "--tsubu-transport=threads"}));
  for (const std::string_view mpi : mpi_names) {
    const auto completes = [&](std::string_view other) { return other != mpi && is_complete(other); };
    check_mpi(mpi, std::ranges::any_of(mpi_names, completes), self, findings);
  }

  int failed = 0;
  for (const finding& f : findings) {
    fmt::print("{:<5} {:<22} {}\n", word(f.how), f.what, one_line(f.found));
    if (!f.mend.empty()) fmt::print("{:<5} {:<22} -> {}\n", "", "", one_line(f.mend));
    if (f.how == verdict::fail) ++failed;
  }
  fmt::print("{}\n",
             failed == 0 ? "Nothing is wrong." : fmt::format("{} of {} checks failed.", failed, findings.size()));
  return failed == 0 ? 0 : 1;
}

}  // namespace tsubu::command
