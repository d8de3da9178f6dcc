#include "tsubu/transport/mpi/check_mpi.hpp"

#include <string>

namespace tsubu::transport::mpi {

void mpi_failed(int code, std::source_location where) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(std::string("MPI call failed: ") + text, where);
}

}  // namespace tsubu::transport::mpi
