#include "tsubu/run/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace tsubu::run_detail {
namespace {

// A whole number of 0 or more, or `otherwise`.
int number_of(const char* text, int otherwise) {
  if (text == nullptr) return otherwise;
  int n = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped_at, error] = std::from_chars(text, end, n);
  return error == std::errc() && stopped_at == end && n >= 0 ? n : otherwise;
}

std::string plural(int n, const char* one, const char* many) { return std::to_string(n) + (n == 1 ? one : many); }

// How to come by one world.
std::string mend(const launcher_words& launcher) {
  switch (launcher.kind) {
    case launcher_kind::openmpi:
      return "start it by the mpirun of the Open MPI whose library this is, or let LD_LIBRARY_PATH name the launcher's";
    case launcher_kind::pmix:
      return "start it by the mpirun of the MPI whose library this is (prterun of Open MPI: with --personality ompi)";
    case launcher_kind::slurm:
      return "start it by srun --mpi=pmix or --mpi=pmi2, whichever the MPI was built for, or by its mpirun";
    default:
      return "start it by the mpirun of the MPI whose library this is";
  }
}

}  // namespace

launcher_words read_launcher(variable_lookup value_of) {
  const auto is_set = [&](const char* name) { return value_of(name) != nullptr; };
  launcher_words said;
  const auto known_by = [&](launcher_kind kind, const char* sign) {
    said.kind = kind;
    said.sign = sign;
  };
  const auto take_ranks = [&](const char* name) {
    said.ranks = number_of(value_of(name), 0);
    said.ranks_by = name;
  };
  const auto take_rank = [&](const char* name) {
    said.rank = number_of(value_of(name), -1);
    said.rank_by = name;
  };
  if (const char* job = value_of("PMIX_NAMESPACE")) said.job = job;
  if (is_set("OMPI_COMM_WORLD_SIZE")) {
    known_by(launcher_kind::openmpi, "OMPI_COMM_WORLD_SIZE");
    take_ranks("OMPI_COMM_WORLD_SIZE");
    take_rank("OMPI_COMM_WORLD_RANK");
  } else if (is_set("PMI_SIZE") || is_set("PMI_RANK")) {
    known_by(launcher_kind::mpich, is_set("PMI_SIZE") ? "PMI_SIZE" : "PMI_RANK");
    take_ranks("PMI_SIZE");
    take_rank("PMI_RANK");
  } else if (is_set("PMI_PORT") || is_set("PMI_ID")) {
    // Hydra with -pmi-port: the rest is told over that port.
    known_by(launcher_kind::mpich, is_set("PMI_PORT") ? "PMI_PORT" : "PMI_ID");
    take_rank("PMI_ID");
  } else if (is_set("PMIX_RANK")) {
    known_by(launcher_kind::pmix, "PMIX_RANK");
    take_rank("PMIX_RANK");
    // Slurm's variables are also set for what its tasks start, which may be another launcher with a job of its own.
    if (said.job.starts_with("slurm.pmix.")) take_ranks("SLURM_STEP_NUM_TASKS");
  } else if (is_set("SLURM_PROCID") && number_of(value_of("SLURM_STEP_NUM_TASKS"), 0) > 1) {
    // A script of sbatch has a SLURM_PROCID, too, but is no step.
    known_by(launcher_kind::slurm, "SLURM_STEP_NUM_TASKS");
    take_ranks("SLURM_STEP_NUM_TASKS");
    take_rank("SLURM_PROCID");
  }
  return said;
}

const launcher_words& process_launcher() {
  static const launcher_words said = read_launcher([](const char* name) -> const char* { return std::getenv(name); });
  return said;
}

// Before main(), which may start MPI itself.
[[maybe_unused]] static const bool read_in_time = process_launcher().kind != launcher_kind::none;

std::string short_name(std::string_view library) {
  std::string name;
  for (const char c : library.substr(0, library.find_first_of(",\n"))) {
    if (c != '\t' && c != ' ') {
      name += c;
    } else if (!name.ends_with(' ')) {
      name += ' ';
    }
  }
  return name;
}

std::string misfit(const launcher_words& launcher, const world_of_mpi& world) {
  if (launcher.kind == launcher_kind::none) return "";
  const std::string has = "MPI's world has " + plural(world.ranks, " rank", " ranks");
  std::string reason;
  if (launcher.ranks != 0 && launcher.ranks != world.ranks) {
    reason = has + ", but the launcher has started " + std::to_string(launcher.ranks) + " (" + launcher.ranks_by + ")";
  } else if (launcher.rank >= world.ranks) {
    reason = has + ", but the launcher says that this is rank " + std::to_string(launcher.rank) + " (" +
             launcher.rank_by + ")";
  } else if (!launcher.job.empty() && world.job != launcher.job) {
    reason = has + ", and is not the launcher's: PMIX_NAMESPACE was " + launcher.job + ", and MPI has made it " +
             std::string(world.job);
  } else {
    return "";
  }
  std::string library = short_name(world.library);
  if (!world.file.empty()) library += " (" + std::string(world.file) + ")";
  return reason + ". The library " + library + " does not know this launcher: " + mend(launcher) +
         (world.file.empty() ? "" : ", or name the launcher's by --tsubu-mpi-library");
}

}  // namespace tsubu::run_detail
