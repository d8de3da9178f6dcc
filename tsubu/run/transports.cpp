#include "tsubu/run/transports.hpp"

#include <cstdlib>
#include <map>
#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/end_watch.hpp"
#include "tsubu/run/launcher.hpp"
#include "tsubu/run/mpi_choice.hpp"
#include "tsubu/run/mpi_library.hpp"
#include "tsubu/run/plugins.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/run/start_watch.hpp"
#include "tsubu/transport/threads/threads.hpp"

// Null in a program that has no plug-in linked in.
extern "C" [[gnu::weak]] const tsubu::transport::plugin tsubu_transport_plugin;
extern "C" [[gnu::weak]] const tsubu::transport::calls_of_library tsubu_transport_calls;
extern "C" [[gnu::weak]] const tsubu::transport::choose_mpi_carrying tsubu_transport_carrying;
extern "C" [[gnu::weak]] const tsubu::transport::watch_mpi_start tsubu_transport_start;

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

// That of the plug-in mpi_abi; empty: another one is loaded.
std::string file_of_library;

// Why the world that MPI has is not what the launcher has started; empty: it is.
std::string why_not_launchers(int ranks, int rank, const char* library) {
  const char* const job = std::getenv("PMIX_NAMESPACE");
  return misfit(
      process_launcher(),
      {.ranks = ranks, .rank = rank, .library = library, .file = file_of_library, .job = job != nullptr ? job : ""});
}

// The limits outlive the job: MPI may begin in a later one, and ends after the last.
int most_seconds_to_start = 0;
end_limit limit_of_end;

void mpi_has_begun(int ranks, int rank, const char* library) {
  mpi_has_started();
  const std::string reason = why_not_launchers(ranks, rank, library);
  if (reason.empty()) return;
  end_other_ranks_too();
  end_job(exit_code::unavailable, "tsubu: " + reason);
}

void mpi_ends(const transport::mpi_end& how, void (*finalize)()) { end_mpi_in_time(limit_of_end, how, finalize); }

void watch_start(transport::watch_mpi_start watch, const settings& options) {
  most_seconds_to_start = options.mpi_start_s;
  limit_of_end = {options.mpi_end_s, options.pes_per_rank};
  if (watch != nullptr) watch({[] { watch_mpi_start(most_seconds_to_start); }, mpi_has_begun, mpi_ends});
}

// Whose a launcher is that has started this process, for lines about it; "": none has.
std::string mpi_of_launcher(const settings& options) {
  switch (process_launcher().kind) {
    case launcher_kind::openmpi:
      return "openmpi";
    case launcher_kind::mpich:
      return "mpich";
    case launcher_kind::pmix:
      return plugin_for(launcher_kind::pmix, look_for_mpis(options));
    default:
      return "";
  }
}

bool fits_launcher(const std::string& transport) {
  return serves(process_launcher().kind, transport) || (transport == "threads" && launched_ranks() == 1);
}

// The option is for one transport; the variable may stay set for others.
void check_library_asked_for(const settings& options) {
  if (chosen == "mpi_abi") return;
  for (const settings::scoped& given : options.given_for) {
    if (!given.source.ends_with("-mpi-library")) continue;
    end_job(exit_code::usage, "tsubu: " + given.source + " is for the transport mpi_abi; this job runs on " + chosen);
  }
}

loaded_plugin load_chosen(const settings& options) {
  if (chosen == "mpi_abi" && !find_plugin(chosen, options.plugins).empty()) file_of_library = load_mpi_library(options);
  return load_plugin(chosen, options.plugins);
}

// The processes that Slurm has started without an MPI, each on threads: perhaps that is meant, but it is to be said.
void refuse_silent_copies() {
  const launcher_words& launcher = process_launcher();
  if (launcher.kind != launcher_kind::slurm) return;
  end_job(
      exit_code::unavailable,
      "tsubu: Slurm has started " + std::to_string(launcher.ranks) + " processes (" + launcher.sign +
          ") and offers them no MPI, so each would be a job of its own: start them by srun --mpi=pmix or --mpi=pmi2, "
          "or by mpirun, or say --tsubu-transport=threads if that is meant");
}

}  // namespace

int launched_ranks() { return process_launcher().kind == launcher_kind::none ? 1 : process_launcher().ranks; }
int launched_rank() { return process_launcher().rank > 0 ? process_launcher().rank : 0; }

bool is_simulated(const settings& options) {
  if (options.transport == "sim") {
    if (const std::string mpi = mpi_of_launcher(options); !mpi.empty()) {
      end_job(exit_code::usage, "tsubu: the transport sim is one process, but it was started by a launcher of " + mpi +
                                    ": start the program by itself");
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
    check_library_asked_for(options);
    if (&tsubu_transport_calls != nullptr) calls_below = tsubu_transport_calls;
    if (&tsubu_transport_carrying != nullptr) choose_carrying(tsubu_transport_carrying, options);
    if (&tsubu_transport_start != nullptr) watch_start(tsubu_transport_start, options);
    return tsubu_transport_plugin.launch;
  }
  const std::string launchers = mpi_of_launcher(options);
  if (options.transport.empty()) refuse_silent_copies();
  std::string name = options.transport;
  if (name.empty()) name = launchers.empty() ? "threads" : "mpi";
  if (name == "mpi") name = plugin_for(process_launcher().kind, look_for_mpis(options));
  if (!fits_launcher(name)) {
    end_job(exit_code::usage, "tsubu: the transport " + name + " is asked for, but the launcher is " + launchers +
                                  "'s (" + process_launcher().sign + "): start the program " +
                                  (name == "threads" ? "by itself" : "with mpirun." + name));
  }
  chosen = name;
  check_scopes(options);
  check_library_asked_for(options);
  if (name == "threads") return transport::threads_launcher();
  const loaded_plugin loaded = load_chosen(options);
  calls_below = loaded.calls;
  choose_carrying(loaded.carrying, options);
  watch_start(loaded.start, options);
  return loaded.launch;
}

const loaded_plugin& choose_inside(const std::string& mpi, const settings& options) {
  static std::map<std::string, loaded_plugin> loaded;
  chosen = mpi;
  const auto found = loaded.find(mpi);
  const loaded_plugin& plugin =
      found != loaded.end() ? found->second : loaded.emplace(mpi, load_chosen(options)).first->second;
  if (plugin.inside == nullptr) {
    end_job(exit_code::unavailable, "tsubu: the transport plug-in " + mpi + " starts no jobs inside another's program");
  }
  calls_below = plugin.calls;
  choose_carrying(plugin.carrying, options);
  limit_of_end = {options.mpi_end_s, 1};  // a job by run() may have started MPI
  if (plugin.start != nullptr)
    plugin.start({nullptr,
                  [](int ranks, int rank, const char* library) {
                    const std::string reason = why_not_launchers(ranks, rank, library);
                    if (!reason.empty()) end_job(exit_code::unavailable, "tsubu: " + reason);
                  },
                  mpi_ends});
  return plugin;
}

void check_fits_inside(const settings& options) {
  if (!options.transport.empty() && options.transport != "mpi" && options.transport != chosen) {
    end_job(exit_code::usage, "tsubu: the transport " + options.transport +
                                  " is asked for, but the job is inside a program of " + chosen);
  }
  check_scopes(options);
  check_library_asked_for(options);
}

transport::calls_of_library calls_of_chosen() { return calls_below; }

}  // namespace run_detail
}  // namespace tsubu
