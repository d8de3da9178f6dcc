// TCP over one switch: what messages take where an output port of the switch has a buffer with an end, and drops what
// it cannot hold.
//
// The bytes between two PEs are a stream, cut into segments. A PE's way into the network takes what the window of a
// stream lets go, then of the next, each segment as long as `sender` says; a latency later the segment's head is at the
// port of its receiver, which passes segments on in the order of their coming, each as long as `receiver` says
// (cut-through, as without TCP). If `port_bytes` wait there, it is dropped. What arrives is acknowledged, a latency
// later, which takes nobody's time. A stream sends while less than its window is on the way (Jacobson 1988, and RFC
// 2001): the window begins with two segments, doubles in each round trip up to a threshold, then grows by one segment a
// round trip, up to `window_bytes`. A lost segment is sent again when three later ones have arrived and it is the only
// one that is lost; else when `timeout` has passed, twice as long after each time in vain; the window is then half of
// what it was, or one segment. A message is there when all bytes before its end are.
//
// All PEs may still send messages that leave up to a latency before the time of the network's next event. So whatever
// a sender does is looked at a latency after it has done it, which is when it first may matter to others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/sim/flight.hpp"
#include "tsubu/sim/machine.hpp"

namespace tsubu::sim {

class tcp_streams {
 public:
  tcp_streams(const machine& of, int pes);
  tcp_streams(const tcp_streams&) = delete;
  tcp_streams& operator=(const tcp_streams&) = delete;

  // A message leaves its PE's hands.
  void send(const flight& f);

  // When something next happens; INT64_MAX: never.
  std::int64_t next_ps() const {
    if (!there_.empty()) return there_.front().what.ps;
    return events_.empty() ? INT64_MAX : events_.top().ps;
  }
  // Does what is next, at next_ps(). True if a message has arrived by that.
  bool move(flight& arrived);

  std::uint64_t dropped() const { return dropped_; }    // segments
  std::uint64_t timeouts() const { return timeouts_; }  // of streams

 private:
  struct message {
    flight what;
    std::uint64_t end;  // of its bytes in the stream
  };
  // A segment that was dropped.
  struct hole {
    std::uint64_t begin;
    std::size_t bytes;
    bool to_send;  // again; false: on its way again, or not known to be lost
  };

  struct stream {
    std::uint64_t in_order() const { return holes.empty() ? highest : std::min(highest, holes.front().begin); }
    hole* next_to_send_again() {
      const auto at = std::find_if(holes.begin(), holes.end(), [](const hole& h) { return h.to_send; });
      return at == holes.end() ? nullptr : &*at;
    }
    bool may_send(std::size_t segment_bytes) {
      if (next_to_send_again() != nullptr) return true;
      return sent < given && on_the_way + std::min<std::uint64_t>(segment_bytes, given - sent) <= window;
    }

    pe_id from = no_pe;
    pe_id to = no_pe;

    // The sender's.
    std::uint64_t given = 0;     // bytes that the program has given
    std::uint64_t sent = 0;      // bytes that were sent once at least
    std::size_t on_the_way = 0;  // bytes, as the sender knows
    std::size_t window = 0;
    std::size_t threshold = 0;
    int duplicates = 0;       // acknowledgements since something is lost
    int doublings = 0;        // of the timeout
    std::uint64_t timer = 0;  // that counts; an older one does not
    bool timed = false;
    bool asks = false;  // for the way in

    // The receiver's, and what is between.
    std::uint64_t highest = 0;     // the end of what has arrived
    std::deque<hole> holes;        // below that or on the way, by place
    std::deque<message> messages;  // not there yet
  };
  struct segment {
    stream* of;
    std::uint64_t begin;
    std::size_t bytes;
  };
  struct event {
    enum kind : std::uint8_t { given, way_free, at_port, through_port, acknowledged, timed_out };

    std::int64_t ps;
    std::uint64_t number;
    kind what;
    segment of;           // given: its begin is where what is given ends
    std::uint64_t timer;  // timed_out

    bool operator>(const event& other) const { return ps != other.ps ? ps > other.ps : number > other.number; }
  };

  // A PE's way into the network.
  struct way_in {
    std::int64_t free_ps = 0;
    bool looks = false;  // an event will
    std::deque<stream*> asking;
  };

  stream& between(pe_id from, pe_id to);
  void ask(stream& s, std::int64_t ps);
  void let_one_in(pe_id from, std::int64_t ps);
  void reach_port(const segment& of, std::int64_t ps);
  void arrive(const segment& of, std::int64_t ps);
  void acknowledge(const segment& of, std::int64_t ps);
  void time_out(stream& s, std::uint64_t timer, std::int64_t ps);
  void wait_for_timeout(stream& s, std::int64_t ps);
  std::size_t halved(std::size_t window) const;
  void add(event e);
  std::int64_t taken(const occupancy& by, std::size_t bytes) const;

  // Constant after construction.
  const occupancy sender_, receiver_;
  const std::int64_t latency_;
  const tcp_figures tcp_;
  const std::size_t pes_;

  std::unordered_map<std::uint64_t, stream> streams_;  // by sender and receiver
  std::vector<way_in> ways_in_;
  std::vector<std::int64_t> port_free_ps_;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::deque<message> there_;  // arrived, for move()
  std::uint64_t number_ = 0;   // of events: those of one time happen in the order in which they were foreseen
  std::uint64_t dropped_ = 0;
  std::uint64_t timeouts_ = 0;
};

}  // namespace tsubu::sim
