// What a node has sent and received, in the terms of the paper's tables 5 to 8.
//
// Each is counted where it happens: a send when the message leaves this floor, a receive when its
// handler is called. A message with more data than split_limit_bytes (message.hpp) is split, as in MTTL, into its
// control part (one asend) and its body (one nsend), which are two receives on the other side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tsubu::mpc {

// Local; does not block; throws nothing.
struct counters {
  std::uint64_t asend = 0;          // messages with all they carry, and control parts: MPI_Send
  std::uint64_t nsend = 0;          // bodies: MPI_Isend
  std::uint64_t recv = 0;           // MPI_Recv of either
  std::uint64_t collectives = 0;    // barriers and reductions
  std::uint64_t payload_bytes = 0;  // sent: what is written, reduced, passed or returned
  std::uint64_t header_bytes = 0;   // sent: what says where to and how many; without the 8 bytes per run of packets
  // Asked of the MPI below, by all nodes of this node's process; 0 where messages do not go by MPI.
  std::uint64_t probe = 0;  // whether a message has come: MPI_Iprobe
  std::uint64_t test = 0;   // whether something has left or landed: MPI_Test

  friend counters operator-(counters a, const counters& b) {
    a.asend -= b.asend;
    a.nsend -= b.nsend;
    a.recv -= b.recv;
    a.collectives -= b.collectives;
    a.payload_bytes -= b.payload_bytes;
    a.header_bytes -= b.header_bytes;
    a.probe -= b.probe;
    a.test -= b.test;
    return a;
  }
};

// What this node has sent and received since the job began.
// Local; does not block; throws nothing.
counters counted();

}  // namespace tsubu::mpc
