// Which plug-in a job of a launcher is for. One launcher may serve several: Hydra's variables are MPICH's, Intel's, and
// those of any MPI with the standard ABI.
#pragma once

#include <string>

#include "tsubu/base/settings.hpp"
#include "tsubu/run/launcher.hpp"

namespace tsubu::run_detail {

struct mpis_here {
  bool openmpi = false;  // there is a plug-in
  bool mpich = false;
  bool mpi_abi = false;
  bool has_library = false;   // of the standard ABI: LD_LIBRARY_PATH leads to one, or the launcher has it
  bool is_asked_for = false;  // by --tsubu-mpi-library
};

mpis_here look_for_mpis(const settings& options);

// "openmpi", "mpich" or "mpi_abi". Of a launcher that does not say whose it is, and of none, the first there is. Where
// there is none it is one that can be told to be missing.
std::string plugin_for(launcher_kind launcher, const mpis_here& here);

// Whether a job of this launcher may be on this plug-in. Of mpi_abi nobody knows before MPI has begun; the world it
// makes tells.
bool serves(launcher_kind launcher, const std::string& plugin);

}  // namespace tsubu::run_detail
