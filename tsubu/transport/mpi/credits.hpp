// Credits: why a message always finds a posted receive.
//
// Each pair of PEs has `limit` credits in each direction. Seen from the sender:
//
//   acknowledged <= sent <= posted,   sent - acknowledged <= limit,   on the way = posted - acknowledged
//
// Batches between sent and posted wait in the sender's own memory. Seen from the receiver:
//
//   returned <= released <= arrived,  owed = released - returned
//
// and what the receiver has returned and the sender has not yet acknowledged is under way.
//
// Owed credits ride on the next message to that peer; if there is none, a message of its own takes
// them (see mpi_transport.cpp for when).
//
// The receives that suffice: at most `limit` batches of a peer are unreleased. Each of them causes at
// most one message of ours that is nothing but news (it returns at least that batch's credit, or
// clears its bulk, whose credit then cannot be owed yet), and the news of one batch is gone before
// the credit is used again. So a peer has at most `limit` batches and, as answers to our batches,
// `limit` pieces of news on the way to us: 2 * limit receives per peer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tsubu::transport::mpi {

// The counters of one peer. They wrap; only differences count.
struct credits {
  std::uint32_t posted = 0;
  std::uint32_t sent = 0;
  std::uint32_t acknowledged = 0;
  std::uint32_t arrived = 0;
  std::uint32_t released = 0;
  std::uint32_t returned = 0;

  int on_the_way() const { return static_cast<int>(posted - acknowledged); }
  std::uint32_t unacknowledged() const { return sent - acknowledged; }
  std::uint32_t owed() const { return released - returned; }
};

// Of a PE, aimed at: less where jobs are so large that its memory is counted by the MiB.
inline constexpr std::size_t receive_memory(std::size_t peers) { return std::size_t{peers < 48 ? 64U : 13U} << 19; }
inline constexpr std::uint32_t most_credits = 8;    // more does not make a stream faster
inline constexpr std::uint32_t fewest_credits = 2;  // with one, a stream would stop at each batch

inline constexpr std::uint32_t receives_per_peer(std::uint32_t limit) { return 2 * limit; }

// Receives beyond those the credits need, so that posting one again can wait for an idle moment.
inline constexpr std::uint32_t spare_receives = 8;

inline constexpr std::uint32_t receive_count(std::size_t peers, std::uint32_t limit) {
  if (peers == 0) return 0;
  return static_cast<std::uint32_t>(peers) * receives_per_peer(limit) + spare_receives;
}

// As many as the memory for posted receives allows.
inline constexpr std::uint32_t credit_limit(std::size_t peers, std::size_t batch_bytes) {
  const std::size_t room = receive_memory(peers) / (2 * batch_bytes * std::max<std::size_t>(peers, 1));
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(room, fewest_credits, most_credits));
}

}  // namespace tsubu::transport::mpi
