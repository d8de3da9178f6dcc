// The sends that MPI has not completed yet. Most complete at once and never get here.
//
// Usually only the oldest is tested. When one that stays behind has held back many buffers, for a
// slow PE while others go on, all are.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <deque>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class send_list {
 public:
  bool empty() const { return pending_.empty(); }

  // `request` sends the message in `b`.
  template <class Pool>
  void add(MPI_Request request, batch* b, Pool& pool) {
    if (complete(request)) {
      pool.put(b);
    } else {
      pending_.push_back({request, b});
    }
  }

  // Gives the batches of completed sends back to the pool: any that has put(batch*).
  template <class Pool>
  void collect(Pool& pool) {
    while (!pending_.empty() && complete(pending_.front().request)) {
      pool.put(pending_.front().message);
      pending_.pop_front();
    }
    if (pending_.size() < look_at_all_from_) return;
    std::erase_if(pending_, [&](send& s) {
      const bool done = complete(s.request);
      if (done) pool.put(s.message);
      return done;
    });
    look_at_all_from_ = std::max(usual, 2 * pending_.size());
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

  static constexpr std::size_t usual = 8;

  std::deque<send> pending_;
  std::size_t look_at_all_from_ = usual;
};

}  // namespace tsubu::transport::mpi
