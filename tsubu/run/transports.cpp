#include "tsubu/run/transports.hpp"

#include <cstdlib>
#include <initializer_list>

#include "tsubu/base/check.hpp"
#include "tsubu/run/plugins.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/transport/threads/threads.hpp"

// Null in a program that has no plug-in linked in.
extern "C" [[gnu::weak]] const tsubu::transport::plugin tsubu_transport_plugin;
extern "C" [[gnu::weak]] const tsubu::transport::calls_of_library tsubu_transport_calls;
extern "C" [[gnu::weak]] const tsubu::transport::choose_mpi_carrying tsubu_transport_carrying;

namespace tsubu {
namespace {
std::string chosen = "threads";
transport::calls_of_library calls_below = nullptr;
}  // namespace

std::string_view transport_name() { return chosen; }

namespace run_detail {
namespace {

// Nothing that was given is for another kind of job than the chosen one.
void check_scopes(const settings& options) {
  const setting_scope here = chosen == "sim"       ? setting_scope::simulation
                             : chosen == "threads" ? setting_scope::threads
                                                   : setting_scope::mpi;
  for (const settings::scoped& given : options.given_for) {
    if (given.scope == here) continue;
    constexpr std::string_view jobs[] = {"", "jobs on threads", "simulated jobs: it needs --tsubu-transport=sim",
                                         "jobs of an MPI, which mpirun starts"};
    end_job(exit_code::usage,
            "tsubu: " + given.source + " is for " + std::string(jobs[static_cast<std::size_t>(given.scope)]) +
                "; this job runs on " + std::string(chosen) +
                (given.source.ends_with("-per-rank") ? ": --tsubu-pes says how many PEs it has" : ""));
  }
}

void choose_carrying(transport::choose_mpi_carrying choose, const settings& options) {
  using transport::mpi_carrying;
  if (choose != nullptr) choose(options.mpi_windows ? mpi_carrying::by_windows : mpi_carrying::by_messages);
}

int number_in(std::initializer_list<const char*> variables, int otherwise) {
  for (const char* name : variables) {
    if (const char* number = std::getenv(name)) return std::atoi(number);
  }
  return otherwise;
}

}  // namespace

std::string_view launched_by() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return "openmpi";
  if (std::getenv("PMI_SIZE") != nullptr || std::getenv("PMI_RANK") != nullptr) return "mpich";
  return "";
}

int launched_ranks() { return number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }
int launched_rank() { return number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }

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
    if (&tsubu_transport_calls != nullptr) calls_below = tsubu_transport_calls;
    if (&tsubu_transport_carrying != nullptr) choose_carrying(tsubu_transport_carrying, options);
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
  if (name == "threads") return transport::threads_launcher();
  const loaded_plugin loaded = load_plugin(name, options.plugins);
  calls_below = loaded.calls;
  choose_carrying(loaded.carrying, options);
  return loaded.launch;
}

transport::calls_of_library calls_of_chosen() { return calls_below; }

}  // namespace run_detail
}  // namespace tsubu
