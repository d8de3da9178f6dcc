// Credits: why a message always finds a posted receive.
//
// Each pair of ranks has `limit` credits in each direction. Seen from the sender:
//
//   acknowledged <= sent <= posted,   sent - acknowledged <= limit,   on the way = posted - acknowledged
//
// Messages between sent and posted wait in the sender's own memory. Seen from the receiver:
//
//   returned <= released <= arrived,  owed = released - returned
//
// and what the receiver has returned and the sender has not yet acknowledged is under way.
//
// Owed credits ride on the next message to that peer; if there is none, a message of its own takes them
// (credit_lanes.hpp says when).
//
// The receives that suffice: at most `limit` messages of a peer are unreleased. Each of them has at most one message of
// ours on the way that takes no credit and is nothing but news: one that returns at least that message's credit, or one
// that clears its bulk. (A bulk's head can be released only when its bytes are there, and its clearance has arrived
// before they left.) And the news of one message is gone before its credit is used again. So a peer has at most `limit`
// messages and, as answers to ours, `limit` pieces of news on the way to us: 2 * limit receives per peer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tsubu::transport::mpi {

// The counters of one lane. They wrap; only differences count.
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

// Memory for the receives of a rank of one PE that has so many links, aimed at: less where jobs are so large that a
// PE's memory is counted by the MiB.
inline constexpr std::size_t receive_memory(int links) { return std::size_t{links <= 48 ? 64U : 13U} << 19; }
inline constexpr std::uint32_t most_credits = 8;    // more does not make a stream faster
inline constexpr std::uint32_t fewest_credits = 2;  // with one, a stream would stop at each batch

inline constexpr std::uint32_t receives_per_peer(std::uint32_t limit) { return 2 * limit; }

// Receives beyond those the credits need, so that posting one again can wait for an idle moment.
inline constexpr std::uint32_t spare_receives = 8;

inline constexpr std::uint32_t receive_count(std::size_t peers, std::uint32_t limit) {
  if (peers == 0) return 0;
  return static_cast<std::uint32_t>(peers) * receives_per_peer(limit) + spare_receives;
}

// As many as the memory for posted receives allows, for so many lanes: all ranks of the job must ask it with the same
// numbers. `links`: of a PE on the grid. The PEs of a rank share its lanes: each adds its memory and its credits, up to
// what a label may return at once.
inline constexpr std::uint32_t most_rank_credits = 32;
inline constexpr std::uint32_t credit_limit(std::size_t peers, int links, std::size_t batch_bytes,
                                            int pes_per_rank = 1) {
  const auto pes = static_cast<std::uint32_t>(pes_per_rank);
  const std::size_t room = receive_memory(links) * pes / (2 * batch_bytes * std::max<std::size_t>(peers, 1));
  const std::uint32_t most = std::min(most_credits * pes, most_rank_credits);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(room, fewest_credits, most));
}

}  // namespace tsubu::transport::mpi
