// How many bytes of messages wait for their objects on a PE, and how many may.
//
// A mailbox that refused a message could refuse the very one that its object accepts, so none does. What waits is
// bounded for the PE as a whole instead: a job that goes beyond it ends, and says for whom. What nobody waits for
// counts as its PE's backlog besides.
#pragma once

#include <cstddef>

#include "tsubu/remote/backlog.hpp"

namespace tsubu::objects {

class mailboxes {
 public:
  mailboxes(std::size_t limit_bytes, remote::backlog& of) : limit_bytes_(limit_bytes), backlog_(of) {}

  // A message has been made, or freed, that is kept apart from its packet; `asked`: somebody waits for its answer.
  void made(std::size_t bytes, bool asked) {
    waiting_bytes_ += bytes;
    if (!asked) backlog_.begins_to_wait(bytes);
  }
  void freed(std::size_t bytes, bool asked) {
    waiting_bytes_ -= bytes;
    if (!asked) backlog_.ends_to_wait(bytes);
  }

  bool too_full() const { return waiting_bytes_ > limit_bytes_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  std::size_t limit_bytes() const { return limit_bytes_; }

 private:
  std::size_t limit_bytes_;        // constant after construction
  std::size_t waiting_bytes_ = 0;  // the sum of those that have been made and not freed
  remote::backlog& backlog_;
};

}  // namespace tsubu::objects
