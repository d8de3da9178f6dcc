// The collectives with which the ranks of a job begin and end together, whatever carries their messages.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tsubu::transport::mpi {

class end_collectives {
 public:
  // Keeps a communicator of the owner's, to the end.
  explicit end_collectives(MPI_Comm comm) : comm_(comm) {}
  end_collectives(const end_collectives&) = delete;
  end_collectives& operator=(const end_collectives&) = delete;

  // Collective; blocks until all ranks have called it.
  void barrier();

  // Collectives that do not block: one is begun, and agreed() says once that all ranks have begun it.
  void begin_agreement();
  void begin_count(std::vector<std::uint64_t> sent_to);  // messages sent to each rank
  bool agreed();
  std::uint64_t coming() const { return coming_; }  // messages that were sent to this rank: known after the count

 private:
  const MPI_Comm comm_;
  MPI_Request agreement_ = MPI_REQUEST_NULL;
  std::vector<std::uint64_t> sent_to_;
  std::uint64_t coming_ = 0;
};

}  // namespace tsubu::transport::mpi
