// The library that the plug-in mpi_abi runs on: libmpi_abi.so.1, which several MPIs have. Each process of a job must
// have that of the launcher which has started it, so which one is loaded is not left to the loader alone.
#pragma once

#include <string>
#include <string_view>

#include "tsubu/base/settings.hpp"

namespace tsubu::run_detail {

// What says where it is, the strongest first.
struct library_hints {
  std::string asked_for;    // a file, by --tsubu-mpi-library; empty: none is
  std::string search_path;  // folders apart by colons, as LD_LIBRARY_PATH has them
  std::string launcher;     // the program that has started this process; empty: it is not known
};

library_hints library_hints_here(const settings& options);

// The file that they lead to; "" if they lead to none. Then the loader may know one.
std::string find_mpi_library(const library_hints& hints);

// That of the MPI which a launcher belongs to, ../lib beside its folder; "" if it has none.
std::string library_beside(const std::string& launcher);

// Loads it, unless it is in the process already, for the plug-in to find, and returns its file. One that does not load,
// or that is of another interface, ends the process with one line and exit code 69, and so does another MPI that the
// program is linked to.
std::string load_mpi_library(const settings& options);

// Whether the program is linked to it: what MPI it is, its version does not say.
bool is_linked_to_mpi_library();

}  // namespace tsubu::run_detail
