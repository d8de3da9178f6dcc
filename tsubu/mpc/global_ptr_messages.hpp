// What remote reads and writes carry beside the data.
//
// MTTL's write carries 16 bytes at least (message, node, address, size) and its read 24. Here the node
// is the batch's, the message the run's, and an address is a segment and an offset.
#pragma once

#include <cstdint>

#include "tsubu/mpc/message.hpp"
#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/remote/messages/reply.hpp"

namespace tsubu::mpc {

struct write_control {
  remote::segment_id segment;
  std::uint32_t epoch;  // of the sender: see Barrier
  std::uint64_t offset;
};

struct read_control {
  remote::reply_address to;
  remote::segment_id segment;
  std::uint64_t offset;
  std::uint64_t bytes;
};

// Bytes of a message that are not data. A run of packets adds 8 for all of them.
inline constexpr std::size_t write_header_bytes = packet_layout<write_control>::header_bytes;
inline constexpr std::size_t read_header_bytes = packet_layout<read_control>::header_bytes;

}  // namespace tsubu::mpc
