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

// Nothing that was given is for another kind of job than the chosen one.
void check_scopes(const settings& options) {
  const setting_scope here = chosen == "sim"       ? setting_scope::simulated
                             : chosen == "threads" ? setting_scope::any
                                                   : setting_scope::mpi;
  for (const settings::scoped& given : options.given_for) {
    if (given.scope == here) continue;
    const bool simulated = given.scope == setting_scope::simulated;
    end_job(exit_code::usage,
            "tsubu: " + given.source + " is for " +
                (simulated ? "simulated jobs: it needs --tsubu-transport=sim" : "jobs of an MPI, which mpirun starts") +
                "; this job runs on " + std::string(chosen) +
                (given.source.ends_with("-per-rank") ? ": --tsubu-pes says how many PEs it has" : ""));
  }
}

// As the launcher says; 0: it does not.
int launched_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* ranks = std::getenv(name)) return std::atoi(ranks);
  }
  return 0;
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
    check_scopes(options);
    return true;
  }
  return false;
}

transport::launcher choose_transport(const settings& options) {
  if (&tsubu_transport_plugin != nullptr) {
    chosen = tsubu_transport_plugin.name;
    check_scopes(options);
    return tsubu_transport_plugin.launch;
  }
  std::string name = options.transport;
  if (name.empty()) name = launched_by().empty() ? "threads" : "mpi";
  if (name == "mpi") name = launched_by();
  if (name.empty()) name = find_plugin("openmpi", options.plugins).empty() ? "mpich" : "openmpi";
  if (!launched_by().empty() && launched_by() != name && (name != "threads" || launched_ranks() != 1)) {
    end_job(exit_code::usage, "tsubu: the transport " + name + " is asked for, but the launcher is " +
                                  std::string(launched_by()) + "'s: start the program " +
                                  (name == "threads" ? "by itself" : "with mpirun." + name));
  }
  chosen = name;
  check_scopes(options);
  return name == "threads" ? transport::threads_launcher() : load_plugin(name, options.plugins);
}

}  // namespace run_detail
}  // namespace tsubu
