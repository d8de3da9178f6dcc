#include "tsubu/command/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/run/mpi_library.hpp"
#include "tsubu/run/plugins.hpp"
#include "tsubu/run/transports.hpp"
#include "tsubu/transport/threads/threads.hpp"

namespace tsubu::command {
namespace {

std::string find_in_path(std::string_view name) {
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "";
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    const std::string file = fmt::format("{}/{}", path.substr(0, colon), name);
    if (::access(file.c_str(), X_OK) == 0) return file;
    path = colon == std::string_view::npos ? std::string_view() : path.substr(colon + 1);
  }
  return "";
}

// The first line that `mpirun --version` prints.
std::string version_of(const std::string& launcher) {
  std::string line(200, '\0');
  FILE* pipe = ::popen((launcher + " --version 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return "";
  const bool read = std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr;
  ::pclose(pipe);
  return read ? std::string(line.c_str()) : "";
}

// Intel's MPI has MPICH's binary interface and process management, so a program runs under it by MPICH's plug-in.
bool is_of(std::string_view mpi, const std::string& version) {
  const auto says = [&](std::string_view name) { return version.find(name) != std::string::npos; };
  if (mpi == "openmpi") return says("Open MPI");
  return says("HYDRA") || says("MPICH") || says("Intel(R) MPI Library");
}

}  // namespace

std::string find_launcher(std::string_view mpi) {
  if (mpi == "mpi_abi") {
    std::string any = find_in_path("mpirun");
    return !any.empty() && !run_detail::library_beside(any).empty() ? any : "";
  }
  // Debian lets several MPIs live side by side under names of their own.
  if (std::string own = find_in_path(fmt::format("mpirun.{}", mpi)); !own.empty()) return own;
  const std::string common = find_in_path("mpirun");
  return !common.empty() && is_of(mpi, version_of(common)) ? common : "";
}

std::vector<std::string> launch_line(std::string_view mpi, int ranks, int pes_per_rank,
                                     const std::vector<std::string>& program) {
  std::vector<std::string> line{find_launcher(mpi)};
  if (mpi == "openmpi") {
    if (::geteuid() == 0) line.emplace_back("--allow-run-as-root");
    if (ranks > transport::usable_cores()) line.emplace_back("--oversubscribe");
    // Bound as usual, a rank would have a single core for all of its PEs.
    if (pes_per_rank > 1) line.insert(line.end(), {"--bind-to", "none"});
  }
  line.insert(line.end(), {"-n", std::to_string(ranks)});
  line.insert(line.end(), program.begin(), program.end());
  if (pes_per_rank > 1) {
    // What follows a "--" is the program's.
    const auto words = line.end() - static_cast<std::ptrdiff_t>(program.size());
    line.insert(std::find(words, line.end(), "--"), "--tsubu-pes-per-rank=" + std::to_string(pes_per_rank));
  }
  return line;
}

std::string choose_mpi(const std::string& wanted) {
  std::string missing;
  for (const std::string_view mpi : mpi_names) {
    if (wanted != "mpi" && wanted != mpi) continue;
    if (find_launcher(mpi).empty()) {
      missing += fmt::format("; {} has no launcher here", mpi);
    } else if (run_detail::find_plugin(mpi, "").empty()) {
      missing += fmt::format("; {} has a launcher, but Tsubu was built without its plug-in", mpi);
    } else {
      return std::string(mpi);
    }
  }
  end_job(exit_code::unavailable, fmt::format("tsubu: no MPI to run on{}. `tsubu doctor` tells more", missing));
}

void become(const std::vector<std::string>& line) {
  std::vector<char*> words;
  words.reserve(line.size() + 1);
  for (const std::string& word : line) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  end_job(exit_code::unavailable,
          one_line(fmt::format("tsubu: {} cannot be started: {}", line[0], std::strerror(errno))));
}

}  // namespace tsubu::command
