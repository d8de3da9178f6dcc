// The plug-ins that hold the transports of MPI: where they are, and whether one may be loaded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tsubu/transport/calls.hpp"
#include "tsubu/transport/carrying.hpp"
#include "tsubu/transport/inside.hpp"
#include "tsubu/transport/starting.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::run_detail {

// The file of a plug-in, or "" if it is in none of the folders; these are appended to `looked_in`. They are `folder`,
// or if that is empty: ../lib/tsubu beside the program, and lib/tsubu of the Tsubu that the program was linked with.
std::string find_plugin(std::string_view name, const std::string& folder,
                        std::vector<std::string>* looked_in = nullptr);

struct loaded_plugin {
  transport::launcher launch;
  transport::calls_of_library calls;        // null: it does not tell
  transport::choose_mpi_carrying carrying;  // null: it has no choice
  transport::watch_mpi_start start;         // null: it does not tell
  const transport::inside_mpi* inside;      // null: it starts no jobs inside another's program
  const transport::held_end* held;          // null: none that goes on between runs
};

// What it offers. One that is not there, is not of this version, or that others than this user, root and the owner of
// the program may write ends the process with one line and exit code 69.
loaded_plugin load_plugin(const std::string& name, const std::string& folder);

}  // namespace tsubu::run_detail
