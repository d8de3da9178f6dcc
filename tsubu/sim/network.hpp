// The network of a simulated machine: when a message that leaves one PE now has arrived at another.
//
// A message passes the sender's port, the links of its route and the receiver's port. Each takes messages in the order
// of their coming, and is taken for `packet_ps` by each of a message's packets and for `byte_fs` by each of its bytes.
// The head goes on as soon as a port or link is free for it (cut-through), the tail follows at the pace of the slowest.
// The network's latency is spent behind the sender's port, that of a link behind the link. (LogGP, by Alexandrov,
// Ionescu, Schauser and Scheiman 1995, is the case with no links: L the latency, g the packet_ps, G the byte_fs of the
// sender's port. The o of both sides is time of the PEs, so the engine's.)
//
// With `buffers`, so many messages at most are at the end of a link, or on their way there. Who waits there holds up
// those behind it, and who finds no room waits where it is, back to the sender, whose own queue has no end. (Virtual
// cut-through: Kermani and Kleinrock 1979.) Each link has such buffers for several banks. A message takes the next bank
// when its next link comes before the last in the topology's order; so all wait for what is later in the order of banks
// and links, and none for ever. (A structured buffer pool, as EM-4's of three banks.)
//
// Over TCP (tcp.hpp) messages are streams, and what a port of the switch cannot hold is lost and sent again.
//
// Everything happens in the order of (picoseconds, sender, number): no two are equal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/sim/flight.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/tcp.hpp"
#include "tsubu/sim/topology.hpp"

namespace tsubu::sim {

class network {
 public:
  network(const machine& of, int pes);

  int pes() const { return static_cast<int>(sender_free_.size()); }

  // What a message takes at least from its sending until it may change anything elsewhere.
  std::int64_t least_ps() const { return least_ps_; }

  // A message leaves its PE's hands. True if nothing that others send can change when it arrives: `f` tells. Else it is
  // under way until move() gives it out.
  bool send(flight& f);

  // When something next happens in it; no_time: never.
  static constexpr std::int64_t no_time = INT64_MAX;
  std::int64_t next_ps() const {
    if (tcp_ != nullptr) return tcp_->next_ps();
    const std::int64_t look_ps = looks_.empty() ? no_time : looks_.top().ps;
    return under_way_.empty() ? look_ps : std::min(look_ps, under_way_.top().ps);
  }
  // Does what is next, at next_ps(). True if a message has arrived by that.
  bool move(flight& arrived);

  // Picoseconds for which each link was taken.
  const std::vector<std::int64_t>& taken_ps() const { return link_taken_; }
  const topology& shape() const { return topology_; }

 private:
  // Where messages wait for their next link: a PE's queue, or a bank at the end of a link.
  struct line {
    std::deque<flight> waiting;
    int taken = 0;  // places
  };
  // What lets one after the other of those that ask pass: a link, or a PE's way out.
  struct gate {
    std::int64_t free_ps = 0;
    std::int64_t look_ps = no_time;  // when it looks next who may pass
    std::deque<std::size_t> asking;  // lines
  };
  struct look {
    std::int64_t ps;
    std::size_t at;  // gate
    bool operator>(const look& other) const { return ps != other.ps ? ps > other.ps : at > other.at; }
  };

  std::int64_t packets(std::size_t bytes) const {
    return packet_bytes_ == 0 ? 1 : static_cast<std::int64_t>((bytes + packet_bytes_ - 1) / packet_bytes_);
  }
  std::int64_t occupied(const occupancy& by, std::size_t bytes) const {
    return packets(bytes) * by.packet_ps + static_cast<std::int64_t>(bytes) * by.byte_fs / 1000;
  }
  // What the tail adds: the bytes, and the packets behind the first.
  std::int64_t tail(const occupancy& by, std::size_t bytes) const { return occupied(by, bytes) - by.packet_ps; }
  void pass(flight& f, std::int64_t& free_ps, const occupancy& by, std::int64_t behind_ps) const;
  bool move_with_buffers(flight& arrived);
  bool let_one_pass(std::size_t at, std::int64_t ps, flight& arrived);
  void ask(std::size_t from_line, std::int64_t ps);
  void look_later(std::size_t at, std::int64_t ps);
  void route_of(const flight& f);
  std::size_t line_of(std::size_t link, std::int32_t bank);
  bool same_node(pe_id a, pe_id b) const { return pes_per_node_ > 1 && a / pes_per_node_ == b / pes_per_node_; }

  const machine& machine_;
  std::unique_ptr<tcp_streams> tcp_;  // null: messages pass as above
  topology topology_;
  int pes_per_node_;
  std::size_t packet_bytes_;
  std::int64_t least_ps_;
  bool stops_on_the_way_;  // links or the receivers' ports make messages wait for each other
  std::vector<std::int64_t> sender_free_, receiver_free_, link_free_, link_taken_;
  std::priority_queue<flight, std::vector<flight>, std::greater<>> under_way_;
  std::vector<int> route_;
  // With buffers: PEs' queues, then the first bank of each link, the second, ...; links, then PEs' ways out.
  int buffers_ = 0;
  std::vector<line> lines_;
  std::vector<gate> gates_;
  std::priority_queue<look, std::vector<look>, std::greater<>> looks_;
};

}  // namespace tsubu::sim
