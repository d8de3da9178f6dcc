// Every MPI call goes through check_mpi().
//
// The communicators return errors instead of dying in MPI, so that the message can name the PE and the place.
#pragma once

#include <mpi.h>

#include <source_location>

#include "tsubu/transport/mpi/failure.hpp"

namespace tsubu::transport::mpi {

[[noreturn]] void mpi_failed(int code, std::source_location where);

inline void check_mpi(int code, std::source_location where = std::source_location::current()) {
  if (code != MPI_SUCCESS) [[unlikely]]
    mpi_failed(code, where);
}

}  // namespace tsubu::transport::mpi
