// A lane: what one rank has to remember of one peer rank, in both directions.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/mpi/credits.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

struct lane {
  int rank = 0;  // the peer's; constant
  credits count;
  std::uint64_t messages = 0;  // sent to it, of any kind
  batch_queue unsent;          // posted, waiting for credit
  bool listed = false;         // among those whose peers may be owed credits

  // Whether a message that takes a credit may be sent now: not before those that wait.
  bool may_send(std::uint32_t limit) const { return unsent.empty() && count.unacknowledged() < limit; }

  // A message leaves: its label takes along the credits that are owed.
  void stamp(batch* b, label& what) {
    what.credits = std::min(count.owed(), most_label_credits);
    count.returned += what.credits;
    ++messages;
    write_label(b, what);
  }

  // The peer has returned so many credits.
  void acknowledge(std::uint32_t credits) {
    check(credits <= count.unacknowledged(), "a peer returned more credits than it was sent messages");
    count.acknowledged += credits;
  }
};

}  // namespace tsubu::transport::mpi
