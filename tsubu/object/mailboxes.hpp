// How many bytes of messages wait for their objects on a PE, and how many may.
//
// A mailbox that refused a message could refuse the very one that its object accepts, so none does. What waits is
// bounded for the PE as a whole instead: a job that goes beyond it ends, and says for whom.
#pragma once

#include <cstddef>

namespace tsubu::objects {

class mailboxes {
 public:
  explicit mailboxes(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // A message has been made, or freed, that is kept apart from its packet.
  void made(std::size_t bytes) { waiting_bytes_ += bytes; }
  void freed(std::size_t bytes) { waiting_bytes_ -= bytes; }

  bool too_full() const { return waiting_bytes_ > limit_bytes_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }
  std::size_t limit_bytes() const { return limit_bytes_; }

 private:
  std::size_t limit_bytes_;        // constant after construction
  std::size_t waiting_bytes_ = 0;  // the sum of those that have been made and not freed
};

}  // namespace tsubu::objects
