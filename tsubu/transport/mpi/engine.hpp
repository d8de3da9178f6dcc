// What moves messages between nodes, for a rank whose PEs share memory with each other or with those of other ranks.
//
// One engine a process. MPI is called by one thread at a time, whoever has the engine's lock: a PE that polls takes
// it if it is free and moves the messages of all; a PE that computes holds nobody up. No code of the floors above runs
// under the lock, so it is always free soon.
//
// A PE that posts sends the batch if the lock is free. If it is not, it leaves the batch in the outbox, and who
// holds the lock looks there once more after letting go. So nothing stays there for longer than a turn.
//
// What arrives goes to the addressee's inbox at once, and its credit (of the pair of ranks) goes back at once: a PE
// that does not poll keeps no other PE's messages from coming through. How much one PE has waiting is bounded
// by who sends to it, who hears of each release (see rank_endpoint.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsubu/transport/mpi/inbox.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/lanes.hpp"
#include "tsubu/transport/mpi/mpsc_queue.hpp"
#include "tsubu/transport/mpi/peer_ranks.hpp"
#include "tsubu/transport/mpi/rank_batches.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class engine {
 public:
  // Collective, on one thread of each rank. `sharers`: the ranks that share memory with this one. `oversubscribed`:
  // more_pes_than_cores().
  engine(const launch_settings& settings, const std::vector<int>& sharers, bool oversubscribed);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  int ranks() const { return ranks_; }
  int pes_per_rank() const { return pes_per_rank_; }
  grid_shape shape() const { return shape_; }
  int rank_of(pe_id pe) const { return pe / pes_per_rank_; }
  int number_in_rank(pe_id pe) const { return pe % pes_per_rank_; }
  bool leads_to(pe_id pe) const { return lane_to(pe) != peer_ranks::none; }
  pe_id first_pe() const { return first_pe_; }
  bool oversubscribed() const { return oversubscribed_; }  // more PEs than cores on this node
  inbox& inbox_of(int number) { return inboxes_[static_cast<std::size_t>(number)]; }

  // All of the following may be called by the threads of all PEs of this rank.

  // Takes a batch with `from`, `to` and its label. Never blocks.
  // kind::clear_to_send: takes an arrived head instead, whose bulk_data says where its bytes shall land.
  void submit(batch* b, shared_end& caller);

  // One turn: sends, receives. Returns how many messages came; -1 if another PE is at it.
  int move(shared_end& caller);

  // Takes back the memory of an arrived batch.
  void give_back(batch* b) { given_back_.push(b); }

  // Something of this rank is under way that moves only while someone calls move().
  bool needs_care() const { return needs_care_.load(std::memory_order_relaxed); }

  // One of the PEs that sleep keeps watch: it calls move() now and then. begin_watch() says no when another does.
  bool begin_watch() { return !watched() && !watched_.exchange(true, std::memory_order_seq_cst); }
  void end_watch() { watched_.store(false, std::memory_order_seq_cst); }
  bool watched() const { return watched_.load(std::memory_order_seq_cst); }
  // Wakes a PE that sleeps, if there is one, to take over the watch.
  void wake_one();

  // The end: each PE says once that it will submit no more, and calls move() until closed().
  void begin_close() { closing_.fetch_add(1, std::memory_order_seq_cst); }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

  std::size_t bytes_in_use() const { return bytes_in_use_.load(std::memory_order_relaxed); }
  std::size_t bytes_allocated() const { return bytes_allocated_.load(std::memory_order_relaxed); }

 private:
  using rank_lanes = lanes<rank_batches, credit_return::at_arrival>;

  bool lock(shared_end& caller);
  void unlock();
  void send_submitted(shared_end& caller);  // without the lock

  // With the lock.
  int turn();
  void take_submitted();
  void admit_submitted(batch* b);
  void clear(batch* head, const label& what);
  void arrive(batch* b, int rank);
  void deliver(batch* b);
  void spread_releases(batch* b);
  void move_bulks();
  void advance_end();
  static void bulk_completed(void* argument);
  int lane_to(pe_id pe) const { return peers_.lane_of(rank_of(pe)); }
  static std::uint64_t pair(pe_id from, pe_id to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
  }

  // Constant after construction.
  const int ranks_;  // of the job
  const int pes_per_rank_;
  const grid_shape shape_;
  const pe_id first_pe_;
  const bool oversubscribed_;
  const peer_ranks peers_;      // whose lanes there are
  std::vector<inbox> inboxes_;  // by number in the rank; an inbox says who may touch it

  // Touched with the lock.
  rank_lanes lanes_;
  std::vector<batch*> landed_;  // scratch of move_bulks()
  std::uint32_t idle_turns_ = 0;

  // Touched by the threads of all PEs.
  alignas(64) std::atomic<bool> locked_{false};
  alignas(64) mpsc_queue<batch> outbox_;      // submitted while another had the lock
  alignas(64) mpsc_queue<batch> given_back_;  // arrived batches that are done with
  alignas(64) std::atomic<bool> watched_{false};
  std::atomic<bool> needs_care_{false};
  std::atomic<bool> closed_{false};
  std::atomic<int> closing_{0};  // PEs that will submit no more
  std::atomic<std::size_t> bytes_in_use_{0};
  std::atomic<std::size_t> bytes_allocated_{0};
};

}  // namespace tsubu::transport::mpi
