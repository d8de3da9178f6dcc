// The posted receives: one tag, any source, matched by MPI in the order they were posted.
//
// A message that arrives takes the oldest unmatched receive. So it is enough to test the oldest one,
// whatever the number of PEs. (A batch that MPI moves by rendezvous holds back what came after it
// until it is complete.)
#pragma once

#include <mpi.h>

#include <vector>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"

namespace tsubu::transport::mpi {

class receive_ring {
 public:
  static constexpr int tag = 1;

  receive_ring(MPI_Comm comm, std::size_t receives, std::size_t batch_bytes)
      : comm_(comm), message_bytes_(static_cast<int>(message_bytes(batch_bytes))), slots_(receives) {}

  bool empty() const { return posted_ == 0; }

  // Posts one more, into `buffer`.
  void post(batch* buffer) {
    slot& s = slots_[tail_];
    s.buffer = buffer;
    check_mpi(MPI_Irecv(message(s.buffer), message_bytes_, MPI_BYTE, MPI_ANY_SOURCE, tag, comm_, &s.request));
    tail_ = after(tail_);
    ++posted_;
  }

  // The next message, or null; `from` is its source. The ring must not be empty.
  batch* take(int& from) {
    slot& s = slots_[head_];
    int arrived = 0;
    MPI_Status status;
    probes.count();
    check_mpi(MPI_Test(&s.request, &arrived, &status));
    if (!arrived) return nullptr;
    from = status.MPI_SOURCE;
    head_ = after(head_);
    --posted_;
    return s.buffer;
  }

  // Would take() find a message?
  bool arrived() const {
    int flag = 0;
    probes.count();
    check_mpi(MPI_Request_get_status(slots_[head_].request, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }

  // Takes back all receives, and gives their buffers to any that has put(batch*). Nothing may be on the way any more.
  template <class Home>
  void cancel(Home& home) {
    for (; posted_ > 0; --posted_, head_ = after(head_)) {
      slot& s = slots_[head_];
      check_mpi(MPI_Cancel(&s.request));
      check_mpi(MPI_Wait(&s.request, MPI_STATUS_IGNORE));
      home.put(s.buffer);
    }
  }

 private:
  struct slot {
    MPI_Request request = MPI_REQUEST_NULL;
    batch* buffer = nullptr;
  };

  std::size_t after(std::size_t i) const { return i + 1 == slots_.size() ? 0 : i + 1; }

  MPI_Comm comm_;
  int message_bytes_;
  std::vector<slot> slots_;
  std::size_t head_ = 0;  // the oldest posted
  std::size_t tail_ = 0;  // where the next is posted
  std::size_t posted_ = 0;
};

}  // namespace tsubu::transport::mpi
