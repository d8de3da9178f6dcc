// How a job is started: on threads, or through the launcher of an MPI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tsubu::command {

// The MPIs there are plug-ins for.
inline constexpr std::string_view mpi_names[] = {"openmpi", "mpich", "mpi_abi"};

// The launcher's path, or "" if it is not there: mpirun.openmpi, mpirun.mpich, or an mpirun that says whose it is.
// Intel's is MPICH's. Of mpi_abi it is an mpirun that has a libmpi_abi.so.1 in ../lib.
std::string find_launcher(std::string_view mpi);

// The command line that starts `program` on so many ranks of so many PEs. Adds what Open MPI needs to run as root, with
// more ranks than cores, or with several PEs in a rank, only where it does.
std::vector<std::string> launch_line(std::string_view mpi, int ranks, int pes_per_rank,
                                     const std::vector<std::string>& program);

// "threads", or the MPI that `wanted` ("mpi", "openmpi", "mpich") stands for here. Ends the process with one line if
// there is none.
std::string choose_mpi(const std::string& wanted);

// Becomes that command; its exit code is this process's.
[[noreturn]] void become(const std::vector<std::string>& line);

}  // namespace tsubu::command
