// The window through which a PE's batches leave: how many may be on the way on each link, and who may send more.
//
// A receiver that is slower than its senders would be flooded. So only a number of batches may be on the way on a link:
// posted, and not yet known to be released at its end. This is the sender's *credit* there. Who asks has_credit()
// before it sends, and waits while the answer is no, keeps to it; what is sent beyond it waits in the overflow, in
// order. Who waits is told that there is credit again when half of the window is open, not for each batch.
//
// The batches that a PE sends to itself pass through a window, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/message/link_map.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::message {

class held_arrivals;
class loopback_queue;
class overflow;

// What a PE's messages may take of its memory, and how long they may wait to leave.
struct limits {
  std::size_t memory_bytes = std::size_t{64} << 20;  // of messages in its memory
  std::size_t spill_bytes = std::size_t{4} << 30;    // of messages that wait in its spill file
  std::size_t least_batch_bytes = 4096;              // that a batch is tuned down to; the transport's room is the most
  double oldest_us = 50;                             // that an unsent packet may get while its PE is busy
  bool checksum = false;                             // of what goes to other PEs; all PEs the same
  bool time_waiting = false;  // measure how long packets wait in open batches: two looks at the clock a run
};

class credit_window {
 public:
  // Batches on the way on one link at which has_credit() says no: half a megabyte of them, which a second-level cache
  // holds, or a share of 8 MiB among many links; but from 8 to most_batches.
  static constexpr int most_batches = 24;
  static constexpr int batches_for(std::size_t batch_bytes, int links) {
    const std::size_t bytes =
        std::min(std::size_t{512} << 10, (std::size_t{8} << 20) / static_cast<std::size_t>(links));
    return static_cast<int>(std::clamp<std::size_t>(bytes / batch_bytes, 8, most_batches));
  }

  // Batches that leave on a link before one of the senders that wait for room there.
  static constexpr std::uint32_t most_overtaking = 256;

  // The least that `limits::memory_bytes` may be: for each link a batch that is being filled and two on the way, and as
  // much for what waits.
  static constexpr std::size_t least_memory_bytes(std::size_t batch_bytes, int links) {
    return 6 * batch_bytes * static_cast<std::size_t>(links);
  }

  credit_window(transport::transport& below, const limits& most);
  ~credit_window();
  credit_window(const credit_window&) = delete;
  credit_window& operator=(const credit_window&) = delete;

  // Sends a batch, now or when there is credit for it. `source` has no bytes if `b` is no head of a bulk.
  void post(int link, transport::batch* b, const transport::bulk_source& source) {
    if (credits_[static_cast<std::uint32_t>(link)].full && !has_space(link)) [[unlikely]]
      return hold_back(link, b, source);
    post_now(link, b, source);
  }

  // Whether a sender that cares may go on sending. Cheap while there is credit. Says no, too, when a batch has left
  // since begin_turn() was last called: a sender that awaits lets one in for each it sends.
  bool has_credit(int link) { return !credits_[static_cast<std::uint32_t>(link)].spent || regain(link); }
  // The same for all links.
  bool has_credit_everywhere() { return spent_.empty() || regain_all(); }
  // The same for a sender that has been told no and waits. Says yes, too, to one of them when most_overtaking batches
  // have left on the link meanwhile: those of handlers, which do not ask and might send for ever.
  bool has_turn(int link) { return has_credit(link) || takes_turn(link); }
  bool has_turn_everywhere() { return has_credit_everywhere() || take_turn_everywhere(); }
  // Whether the answer is no for this PE's own link, whatever is on the way there.
  void hold_own_senders(bool yes);

  // Its PE looks for what has arrived. Sends what has waited and now has credit.
  void begin_turn() {
    posted_in_turn_ = false;
    if (holds_any_) [[unlikely]]
      send_held_back();
  }

  // Batches wait for credit.
  bool holds_any() const { return holds_any_; }
  bool holds(int link) const { return holds_any_ && credits_[static_cast<std::uint32_t>(link)].holds; }

  // Keeps the bytes of a message that outgrew its batch until they have left this PE, as the source of a bulk. Before a
  // message is begun: it may be told that others have left.
  transport::bulk_source keep(std::vector<std::byte> bytes);

  // The arrived batches whose packets are passed on by what is posted here; null where packets go straight to their PE.
  held_arrivals* held() { return held_.get(); }

  // What this PE has sent to itself.
  loopback_queue& loopback() { return *loopback_; }
  const loopback_queue& loopback() const { return *loopback_; }

  // Batches that this PE has posted and not yet heard to be released; and links that batches wait for.
  std::uint64_t under_way() const;
  // The most bytes of messages that this PE has held in its memory.
  std::size_t peak_bytes() const;

 private:
  struct credit {
    bool spent : 1 = false;                   // has_credit() has to look closer: a batch has left
    bool full : 1 = false;                    // too many were on the way
    bool holds : 1 = false;                   // the overflow holds batches for this link, which go first
    std::uint16_t left_since_spent : 13 = 0;  // batches, up to most_overtaking, since has_turn() has last said yes
  };
  static_assert(sizeof(credit) == 2);

  overflow& made_overflow();
  int on_the_way(int link) const;
  bool has_space(int link) const { return !holds(link) && on_the_way(link) < limit_; }
  void post_now(int link, transport::batch* b, const transport::bulk_source& source);
  void spend(int link);
  void hold_back(int link, transport::batch* b, const transport::bulk_source& source);
  void send_held_back();
  bool is_open(int link) const;
  bool is_overtaken(int link) const;
  bool regain(int link);
  bool regain_all();
  bool takes_turn(int link);
  bool take_turn_everywhere();

  // Constant after construction.
  transport::transport& transport_;
  link_map links_;
  int limit_;                  // batches on the way on a link
  std::size_t waiting_bytes_;  // in memory
  std::size_t spill_bytes_;    // and in the file
  std::size_t much_kept_;      // bytes of keep() after which it asks what has left
  detail::owned<held_arrivals> held_;

  detail::owned_array<credit> credits_;  // by link
  std::vector<int> spent_;               // the links whose credit is spent, each once
  bool posted_in_turn_ = false;          // since begin_turn()
  bool holds_own_senders_ = false;
  std::size_t ask_at_;  // with so many kept

  // holds_any_ is true exactly when the overflow is not empty, and credit::holds when it has something for the link.
  bool holds_any_ = false;
  detail::owned<overflow> overflow_;  // null until something waits or is kept

  const detail::owned<loopback_queue> loopback_;
};

}  // namespace tsubu::message
