#include "tsubu/run/mpi_choice.hpp"

#include "tsubu/run/mpi_library.hpp"
#include "tsubu/run/plugins.hpp"

namespace tsubu::run_detail {

mpis_here look_for_mpis(const settings& options) {
  const auto is_there = [&](const char* name) { return !find_plugin(name, options.plugins).empty(); };
  return {.openmpi = is_there("openmpi"),
          .mpich = is_there("mpich"),
          .mpi_abi = is_there("mpi_abi"),
          .has_library = !find_mpi_library(library_hints_here(options)).empty(),
          .is_asked_for = !options.mpi_library.empty()};
}

std::string plugin_for(launcher_kind launcher, const mpis_here& here) {
  if (here.is_asked_for) return "mpi_abi";
  switch (launcher) {
    case launcher_kind::openmpi:
      return !here.openmpi && here.mpi_abi && here.has_library ? "mpi_abi" : "openmpi";
    case launcher_kind::mpich:
      // The launcher's own library before that of an MPICH which Tsubu happened to be built with.
      return here.mpi_abi && (here.has_library || !here.mpich) ? "mpi_abi" : "mpich";
    default:
      if (here.openmpi) return "openmpi";
      return here.mpi_abi && !here.mpich ? "mpi_abi" : "mpich";
  }
}

bool serves(launcher_kind launcher, const std::string& plugin) {
  switch (launcher) {
    case launcher_kind::openmpi:
      return plugin == "openmpi" || plugin == "mpi_abi";
    case launcher_kind::mpich:
      return plugin == "mpich" || plugin == "mpi_abi";
    case launcher_kind::pmix:
      return plugin != "threads";
    default:
      return true;
  }
}

}  // namespace tsubu::run_detail
