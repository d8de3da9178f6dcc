#include "tsubu/run/transports.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "tsubu/base/check.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/transport/threads/threads.hpp"

// Null in a program that has no plug-in linked in.
extern "C" [[gnu::weak]] const tsubu::transport::plugin tsubu_transport_plugin;

namespace tsubu {
namespace {
std::string chosen = "threads";
}

std::string_view transport_name() { return chosen; }

namespace run_detail {
namespace {

std::string own_folder() {
  std::string path(4096, '\0');
  const ssize_t n = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

transport::launcher load_plugin(const std::string& name, const std::string& folder) {
  std::vector<std::string> looked_in;
  const std::string file = find_plugin(name, folder, &looked_in);
  if (file.empty()) {
    std::string places;
    for (const std::string& place : looked_in) places += (places.empty() ? "" : ", ") + place;
    end_job(exit_code::unavailable,
            "tsubu: the transport plug-in tsubu-transport-" + name + ".so is not there (looked in " + places +
                "): build Tsubu with that MPI installed, or name its folder with --tsubu-plugins");
  }
  // Global: the components that an MPI library loads later look for its symbols.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    end_job(exit_code::unavailable, "tsubu: the transport plug-in does not load: " + std::string(::dlerror()));
  const auto* found = static_cast<const transport::plugin*>(::dlsym(library, "tsubu_transport_plugin"));
  if (found == nullptr || found->abi != transport::plugin_abi) {
    end_job(exit_code::unavailable, "tsubu: " + file + " is not a transport plug-in of this version of Tsubu");
  }
  return found->launch;
}

}  // namespace

std::string_view launched_by() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return "openmpi";
  if (std::getenv("PMI_SIZE") != nullptr || std::getenv("PMI_RANK") != nullptr) return "mpich";
  return "";
}

std::string find_plugin(std::string_view name, const std::string& folder, std::vector<std::string>* looked_in) {
  std::vector<std::string> folders;
  if (!folder.empty()) {
    folders = {folder};
  } else {
    folders = {own_folder() + "/../lib", own_folder() + "/../lib/tsubu", TSUBU_PLUGIN_BUILD_DIR,
               TSUBU_PLUGIN_INSTALL_DIR};
  }
  for (const std::string& in : folders) {
    const std::string file = in + "/tsubu-transport-" + std::string(name) + ".so";
    if (::access(file.c_str(), R_OK) == 0) return file;
    if (looked_in != nullptr) looked_in->push_back(in);
  }
  return "";
}

bool is_simulated(const settings& options) {
  if (options.transport == "sim") {
    if (!launched_by().empty()) {
      end_job(exit_code::usage, "tsubu: the transport sim is one process, but it was started by a launcher of " +
                                    std::string(launched_by()) + ": start the program by itself");
    }
    chosen = "sim";
    return true;
  }
  const char* only_simulated = !options.machine.empty()    ? "machine"
                               : options.seed != 0         ? "seed"
                               : options.time_limit_s != 0 ? "time-limit"
                               : !options.report.empty()   ? "report"
                               : options.measured_work     ? "work"
                               : options.fault_pe >= 0     ? "fault"
                               : !options.predict.empty()  ? "predict"
                               : options.watch_clock       ? "watch"
                               : !options.trace.empty()    ? "trace"
                                                           : nullptr;
  if (only_simulated != nullptr) {
    end_job(exit_code::usage,
            "tsubu: --tsubu-" + std::string(only_simulated) + " is for simulated jobs: it needs --tsubu-transport=sim");
  }
  return false;
}

transport::launcher choose_transport(const settings& options) {
  if (&tsubu_transport_plugin != nullptr) {
    chosen = tsubu_transport_plugin.name;
    return tsubu_transport_plugin.launch;
  }
  std::string name = options.transport;
  if (name.empty()) name = launched_by().empty() ? "threads" : "mpi";
  if (name == "mpi") name = launched_by();
  if (name.empty()) name = find_plugin("openmpi", options.plugins).empty() ? "mpich" : "openmpi";
  if (name != "threads" && !launched_by().empty() && launched_by() != name) {
    end_job(exit_code::usage, "tsubu: the transport " + name + " is asked for, but the launcher is " +
                                  std::string(launched_by()) + "'s: start the program with mpirun." + name);
  }
  if (name == "threads" && options.pes_per_rank > 1) {
    end_job(exit_code::usage,
            "tsubu: --tsubu-pes-per-rank says how many PEs a rank of an MPI job holds, but this job runs on threads: "
            "--tsubu-pes says how many it has");
  }
  chosen = name;
  return name == "threads" ? transport::threads_launcher() : load_plugin(name, options.plugins);
}

}  // namespace run_detail
}  // namespace tsubu
