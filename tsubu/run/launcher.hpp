// What the launcher that started this process says of its job, in the environment; and whether the world that MPI then
// has is that job.
//
// An MPI library that finds no launcher it knows makes a world of this process alone, without a word: a job of n ranks
// then does its work n times. Nothing but what the launcher says tells that from a job of one rank.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tsubu::run_detail {

enum class launcher_kind : std::uint8_t {
  none,
  openmpi,
  mpich,  // and all that speak its process management: Hydra, Intel's, Slurm's PMI 1 and 2
  pmix,   // PRRTE and Slurm's PMIx: the library of any MPI may know it
  slurm   // it has started several processes, and offers no MPI anything
};

struct launcher_words {
  launcher_kind kind = launcher_kind::none;
  std::string sign;      // the variable by which it is known
  int ranks = 0;         // that it has started; 0: it does not say
  std::string ranks_by;  // the variable that says so
  int rank = -1;         // this process; -1: it does not say
  std::string rank_by;
  std::string job;  // PMIx's name of the job, PMIX_NAMESPACE; empty: none
};

// A variable's value; null: it is not set.
using variable_lookup = const char* (*)(const char* name);

launcher_words read_launcher(variable_lookup value_of);

// What it says to this process, as it was before main(): Open MPI 4 writes the variables of the world that it makes.
const launcher_words& process_launcher();

// "Open MPI v4.1.4" of "Open MPI v4.1.4, package: Debian OpenMPI, ..", "MPICH Version: 4.0.2" of several lines, with
// tabs or many blanks.
std::string short_name(std::string_view library);

// The world that MPI has once it has begun.
struct world_of_mpi {
  int ranks = 0;
  int rank = 0;
  std::string_view library;    // what MPI says of itself
  std::string_view file = {};  // where it is, if several may have been meant
  std::string_view job;        // PMIX_NAMESPACE now
};

// Why it is not the job that the launcher has started, as a line without an end; empty if it may be.
std::string misfit(const launcher_words& launcher, const world_of_mpi& world);

}  // namespace tsubu::run_detail
