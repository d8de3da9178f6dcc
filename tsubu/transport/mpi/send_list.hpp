// The sends that MPI has not completed yet. Most complete at once and never get here.
//
// Only the oldest is tested: one that stays behind holds back buffers, no more of them than there
// are credits.
#pragma once

#include <mpi.h>

#include <deque>

#include "tsubu/transport/mpi/batch_pool.hpp"
#include "tsubu/transport/mpi/check_mpi.hpp"

namespace tsubu::transport::mpi {

class send_list {
 public:
  bool empty() const { return pending_.empty(); }

  // `request` sends the message in `b`.
  void add(MPI_Request request, batch* b, batch_pool& pool) {
    if (complete(request)) {
      pool.put(b);
    } else {
      pending_.push_back({request, b});
    }
  }

  // Gives the batches of completed sends back to the pool.
  void collect(batch_pool& pool) {
    while (!pending_.empty() && complete(pending_.front().request)) {
      pool.put(pending_.front().message);
      pending_.pop_front();
    }
  }

 private:
  struct send {
    MPI_Request request;
    batch* message;
  };

  static bool complete(MPI_Request& request) {
    int flag = 0;
    check_mpi(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }

  std::deque<send> pending_;
};

}  // namespace tsubu::transport::mpi
