// The sends that MPI has not completed yet. Most complete at once and never get into the list.
//
// Usually only the oldest is tested. When one that stays behind has held back many buffers, for a
// slow PE while others go on, all are.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <deque>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"
#include "tsubu/transport/mpi/receive_ring.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

// Up to this size a blocking send is used: it costs no request. MPI copies so few bytes away at once; and if it had no
// room for them, the posted receive that our credits promise would take them.
inline constexpr std::size_t short_message = 256;

class send_list {
 public:
  bool empty() const { return pending_.empty(); }

  // Sends the message in `b`, of so many bytes; `home` gets it when it has left.
  template <class Home>
  void send(batch* b, std::size_t bytes, int to, MPI_Comm comm, Home& home) {
    if (!pending_.empty()) collect(home);
    if (bytes <= short_message) {
      check_mpi(MPI_Send(message(b), static_cast<int>(bytes), MPI_BYTE, to, receive_ring::tag, comm));
      home.put(b);
      return;
    }
    MPI_Request request;
    check_mpi(MPI_Isend(message(b), static_cast<int>(bytes), MPI_BYTE, to, receive_ring::tag, comm, &request));
    if (complete(request)) {
      home.put(b);
    } else {
      pending_.push_back({request, b});
    }
  }

  // Gives the batches of completed sends back: to any that has put(batch*).
  template <class Home>
  void collect(Home& home) {
    while (!pending_.empty() && complete(pending_.front().request)) {
      home.put(pending_.front().message);
      pending_.pop_front();
    }
    if (pending_.size() < look_at_all_from_) return;
    std::erase_if(pending_, [&](sent& s) {
      const bool done = complete(s.request);
      if (done) home.put(s.message);
      return done;
    });
    look_at_all_from_ = std::max(usual, 2 * pending_.size());
  }

 private:
  struct sent {
    MPI_Request request;
    batch* message;
  };

  static bool complete(MPI_Request& request) {
    int flag = 0;
    tests.count();
    check_mpi(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }

  static constexpr std::size_t usual = 8;

  std::deque<sent> pending_;
  std::size_t look_at_all_from_ = usual;
};

}  // namespace tsubu::transport::mpi
