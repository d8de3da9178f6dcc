// The lanes of a rank whose messages travel under credits: one lane for each peer rank, in both directions.
//
// A network that takes messages into posted receives must never get one that finds none, and a fast sender shall not
// fill its peer's memory. So each lane counts (credits.hpp): what exceeds a peer's credits waits in the sender's own
// memory, and goes on when credits come back. post() never waits. Credits that are owed ride on the next message to the
// peer. A message of their own takes them when half of them are owed, or when the owner calls pay_all() because nothing
// has come for a while.
//
// What carries the messages is a parameter: MPI (mpi_carrier.hpp), or a fake one in the tests. `Batches` is where
// buffers come from and go back to: it has take() and put(batch*).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tsubu/transport/mpi/closing.hpp"
#include "tsubu/transport/mpi/credits.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/lane.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

// When the credit of a message goes back to its sender.
enum class credit_return : std::uint8_t {
  at_release,  // with the addressee's release; so the count of on_the_way() is that of the PE
  at_arrival   // as soon as it has been taken; so a PE that does not poll holds up none of its rank
};

// Whether a message of that kind uses a credit. What does not, is nothing but news. A clearance stands for the credit
// of its bulk's head, unless that went back before.
constexpr bool takes_credit(kind what, credit_return when) {
  return when == credit_return::at_release ? what == kind::batch || what == kind::bulk_head : what != kind::credits;
}

template <class Carrier, class Batches, credit_return When>
class credit_lanes {
 public:
  // Lane i leads to the rank peers[i]; `used` of them at most are, since this rank may be among them. All ranks have
  // the same limit. The further arguments make the Batches.
  template <class... Arguments>
  credit_lanes(const std::vector<int>& peers, std::size_t used, std::uint32_t credit_limit, std::size_t batch_bytes,
               Arguments&&... of_batches)
      : limit_(credit_limit),
        pay_at_(std::max(credit_limit / 2, 1U)),
        carrier_(receive_count(used, credit_limit), batch_bytes),
        batches_(std::forward<Arguments>(of_batches)...),
        lanes_(peers.size()),
        missing_(receive_count(used, credit_limit)) {
    for (std::size_t i = 0; i < peers.size(); ++i) lanes_[i].rank = peers[i];
  }
  credit_lanes(const credit_lanes&) = delete;
  credit_lanes& operator=(const credit_lanes&) = delete;

  // Collective: no rank may send before all receives of its peers are posted.
  void open() {
    post_receives();
    carrier_.barrier();
  }

  Batches& batches() { return batches_; }
  const Batches& batches() const { return batches_; }
  Carrier& carrier() { return carrier_; }
  auto& bulks() { return carrier_.bulks(); }
  const auto& bulks() const { return carrier_.bulks(); }
  std::size_t count() const { return lanes_.size(); }

  // ---- sending

  // Sends a message that takes a credit, or keeps it until there is one. Local; never blocks.
  void post(int to, batch* b, const label& what) {
    lane& l = lane_of(to);
    ++l.count.posted;
    if (l.may_send(limit_)) [[likely]] {
      ++l.count.sent;
      send(l, b, what);
    } else {
      write_label(b, what);
      l.unsent.push(b);
      ++unsent_;
    }
  }

  // Sends a message that takes no credit and has no data.
  void post_news(int to, kind what) { send_news(lane_of(to), what); }

  // Messages posted there whose credits have not come back, as far as this rank has heard.
  int on_the_way(int to) const { return lanes_[static_cast<std::size_t>(to)].count.on_the_way(); }

  // ---- receiving

  // Whether messages may come: false for a lone rank, and after the end.
  bool listening() const { return carrier_.listening(); }

  // Whether take() would find a message.
  bool has_arrival() { return carrier_.listening() && carrier_.has_arrival(); }

  // The next message, from whatever lane, or null. Only while listening().
  batch* take(int& rank) { return carrier_.take(rank); }

  // Says what a message is that take() gave, and takes in the credits that it brings. Fills in size and bulk_bytes.
  // Whoever called it calls owe() once for each message that took a credit.
  label admit(int from, batch* b) {
    lane& l = lane_of(from);
    const label what = read_label(b);
    check(what.size <= b->capacity, "an arrived batch is larger than its buffer");
    ++messages_arrived_;
    b->size = what.size;
    b->bulk_bytes = 0;
    if (what.what == kind::bulk_head) [[unlikely]] {
      b->bulk_bytes = read_bulk_length(b);
      check(b->bulk_bytes != 0, "the head of a bulk of no bytes arrived");
    }
    if (takes_credit(what.what, When)) [[likely]] {
      ++l.count.arrived;
    } else {
      receive_is_missing();
    }
    if (what.credits != 0) {
      l.acknowledge(what.credits);
      if (!l.unsent.empty()) [[unlikely]]
        send_unsent(l);
    }
    return what;
  }

  // A message of that lane that took a credit is done with: its sender shall have the credit again.
  void owe(int to) {
    lane& l = lane_of(to);
    release(l);
    if (!closing_.credits_flow()) return;
    if (l.count.owed() >= pay_at_) {
      send_news(l, kind::credits);
    } else if (!l.listed) {
      l.listed = true;
      owing_.push_back(&l);
    }
  }

  // The same for all messages from there that have arrived so far, but for so many that are not done with.
  void owe_all_but(int to, std::uint32_t still_used) {
    const credits& c = lane_of(to).count;
    while (c.arrived - c.released > still_used) owe(to);
  }

  // ---- what has to be done now and then

  // Sends the credits that found nothing to ride on.
  void pay_all() {
    for (lane* l : owing_) {
      l->listed = false;
      if (l->count.owed() != 0) send_news(*l, kind::credits);
    }
    owing_.clear();
  }

  // Whether messages of this rank have not left yet.
  bool sending() const { return carrier_.sending(); }

  bool has_chores() const { return missing_ != 0 || sending(); }
  void chores() {
    if (missing_ != 0) post_receives();
    carrier_.collect(batches_);
  }

  // ---- the end

  // Takes the next step, if it can be taken; to be called again and again, while messages are taken. True when the end
  // is reached. Collective. `nothing_above`: the owner will post no more.
  bool advance_end(bool nothing_above) {
    const bool all_sent = nothing_above && unsent_ == 0 && !sending() && carrier_.bulks().idle();
    if (closing_.advance(carrier_, lanes_, all_sent, messages_arrived_)) {
      carrier_.close(batches_);
      missing_ = 0;
    }
    if (!closing_.credits_flow()) owing_.clear();
    return closed();
  }
  bool closed() const { return closing_.closed(); }

 private:
  lane& lane_of(int i) { return lanes_[static_cast<std::size_t>(i)]; }

  void send(lane& l, batch* b, label what) {
    l.stamp(b, what);
    carrier_.send(b, what.size, what.what == kind::bulk_head, l.rank, batches_);
  }

  void send_news(lane& l, kind what) { send(l, batches_.take(), {0, what}); }

  // Not inline: the way of a lone message stays short.
  [[gnu::noinline]] void send_unsent(lane& l) {
    while (!l.unsent.empty() && l.count.unacknowledged() < limit_) {
      --unsent_;
      ++l.count.sent;
      batch* b = l.unsent.pop();
      send(l, b, read_label(b));
    }
  }

  // The receive first: a credit may be used as soon as it is on the wire.
  void release(lane& l) {
    receive_is_missing();
    ++l.count.released;
  }

  void receive_is_missing() {
    if (++missing_ > spare_receives) post_receives();
  }

  void post_receives() {
    for (; missing_ > 0; --missing_) carrier_.post_receive(batches_.take());
  }

  // Constant after construction.
  const std::uint32_t limit_;   // credits of a lane, in each direction
  const std::uint32_t pay_at_;  // owed credits that are worth a message of their own

  // Touched by whoever may send and receive for this rank: one thread at a time.
  Carrier carrier_;
  Batches batches_;
  std::vector<lane> lanes_;
  std::vector<lane*> owing_;  // lanes whose peers may be owed credits
  std::uint32_t missing_;     // receives to post again: posted + unreleased + missing = all
  std::size_t unsent_ = 0;    // messages in all `unsent`
  std::uint64_t messages_arrived_ = 0;
  closing closing_;
};

}  // namespace tsubu::transport::mpi
