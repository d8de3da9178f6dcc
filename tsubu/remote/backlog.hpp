// How far a PE is behind with what its objects have been told, and whom that holds back.
//
// A past message for an object that is busy waits, and nobody waits for it: whoever sends such messages faster than
// they are executed fills the receiver's memory. So a PE that is behind stops two things until it has caught up with
// half of it. Batches stay where they have arrived, so that the credit of who sent them runs out; and who awaits what
// it sends to its own PE waits, too.
//
// What is held back may be the very thing that an object, a task or another PE waits for. So this is no promise but a
// brake: a PE that would idle lets one batch in, and its own senders send as much; and so does one that has run for
// many turns without one waiting message executed. Each time that this was of no use, it is more patient.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tsubu::message {
class endpoint;
}

namespace tsubu::remote {

class backlog {
 public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 10;  // above, the PE is behind
  static constexpr int least_patience = 64;                         // turns
  static constexpr int most_patience = 4096;

  // The PE with these messages is the one that may be behind.
  explicit backlog(message::endpoint& of) : messages_(of) {}
  backlog(const backlog&) = delete;
  backlog& operator=(const backlog&) = delete;

  // A past message waits for its object; it is about to be executed, or goes elsewhere.
  void begins_to_wait(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > hold_above_ && !holds_) [[unlikely]]
      hold();
  }
  void ends_to_wait(std::size_t bytes) {
    bytes_ -= bytes;
    if (behind_) [[unlikely]]
      catch_up();
  }

  bool behind() const { return behind_; }
  std::size_t bytes() const { return bytes_; }

  // Once a turn of a PE that is behind: whether it takes a batch in now, and lets its own senders on. `has_run`: it had
  // something to run in this turn.
  bool gives_way(bool has_run);

  std::uint64_t times_behind() const { return times_behind_; }
  std::uint64_t times_given_way() const { return times_given_way_; }

 private:
  void hold();
  void let_on(std::size_t until_bytes);
  void catch_up();

  message::endpoint& messages_;
  std::size_t bytes_ = 0;
  bool behind_ = false;
  bool holds_ = false;                   // its own senders; false unless it is behind
  std::size_t hold_above_ = most_bytes;  // bytes that wait
  bool executed_any_ = false;            // since the last turn
  int turns_in_vain_ = 0;                // without one executed
  int patience_ = least_patience;        // turns in vain before it gives way
  std::uint64_t times_behind_ = 0;
  std::uint64_t times_given_way_ = 0;
};

}  // namespace tsubu::remote
