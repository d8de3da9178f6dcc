// What moves the messages of a rank that holds several PEs.
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

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "tsubu/transport/mpi/batch_list.hpp"
#include "tsubu/transport/mpi/batch_pool.hpp"
#include "tsubu/transport/mpi/bulk.hpp"
#include "tsubu/transport/mpi/credits.hpp"
#include "tsubu/transport/mpi/mpsc_queue.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/receive_ring.hpp"
#include "tsubu/transport/mpi/send_list.hpp"
#include "tsubu/transport/mpi/world.hpp"
#include "tsubu/transport/threads/end.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

struct inbox;

// A bulk for another rank, until its source has been told.
struct bulk_out {
  std::atomic<bulk_out*> next{nullptr};
  bulk_source source;
  inbox* sender = nullptr;
};

// What the engine hands to a PE. `fetched` is touched by its thread only.
struct alignas(128) inbox {
  mpsc_queue<batch> arrived;  // a bulk comes twice: its head, and the head again when the bytes are there
  batch_list fetched;       // came before those, by this PE's own doing
  mpsc_queue<bulk_out> sent;  // bulks whose source may be used again
  std::unique_ptr<std::atomic<std::uint32_t>[]> released;  // of those posted to each PE of the job
  threads_end* end = nullptr;                              // whom to wake
};

class engine {
 public:
  // Collective, on one thread of each rank.
  explicit engine(const launch_settings& settings);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  int ranks() const { return static_cast<int>(lanes_.size()); }
  int pes_per_rank() const { return pes_per_rank_; }
  int hops() const { return hops_; }
  int rank_of(pe_id pe) const { return pe / pes_per_rank_; }
  int number_in_rank(pe_id pe) const { return pe % pes_per_rank_; }
  pe_id first_pe() const { return first_pe_; }
  bool crowded() const { return crowded_; }  // more PEs than cores on this node
  inbox& inbox_of(int number) { return inboxes_[static_cast<std::size_t>(number)]; }

  // All of the following may be called by the threads of all PEs of this rank.

  // Takes a batch with `from`, `to` and its label. Never blocks.
  // errand::cleared: takes an arrived head instead, whose bulk_data says where its bytes shall land.
  void submit(batch* b, threads_end& caller);

  // One turn: sends, receives. Returns how many messages came; -1 if another PE is at it.
  int move(threads_end& caller);

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
  friend class send_list;  // put()

  // The messages between this rank and another.
  struct lane {
    credits count;
    std::uint64_t messages = 0;  // sent to it, of any kind
    batch_list unsent;           // waiting for credit
    bool listed = false;         // in owing_
  };

  enum class stage : std::uint8_t {
    open,
    agreeing,  // all PEs of this rank have ended, and their messages have left
    counting,  // so it is everywhere: no more credits are returned, and messages can be counted
    draining,
    closed
  };

  bool lock(threads_end& caller);
  void unlock();

  // All below: with the lock.
  lane& lane_of(int rank) { return lanes_[static_cast<std::size_t>(rank)]; }
  int turn();
  void send_submitted(threads_end& caller);  // without the lock
  void take_submitted();
  void admit_submitted(batch* b);
  void post(batch* b);
  void send(lane& l, int rank, batch* b);
  void acknowledge(lane& l, int rank, std::uint32_t credits);
  void put(batch* b);
  void arrive(batch* b, int rank);
  void deliver(batch* b);
  void spread_releases(batch* b);
  void receive_is_missing();
  void post_receives();
  void owe(lane& l, int rank);
  void send_credits(lane& l, int rank);
  void pay_all();
  void move_bulks();
  void advance_end();
  bool complete();
  bool all_sent() const { return outbox_.empty() && unsent_ == 0 && sends_.empty() && bulks_.idle(); }
  static void bulk_has_left(void* argument);
  static std::uint64_t pair(pe_id from, pe_id to) {
    return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
  }

  communicators comms_;
  const int pes_per_rank_;
  const int hops_;
  pe_id first_pe_ = 0;
  const bool crowded_;
  std::vector<lane> lanes_;
  const std::uint32_t credit_limit_;
  const std::uint32_t pay_at_;
  std::vector<inbox> inboxes_;
  batch_pool pool_;  // receives, and messages of the engine's own
  receive_ring receives_;
  send_list sends_;
  bulk_mover bulks_;
  threads_end* mover_ = nullptr;  // of the PE that has the lock
  std::vector<batch*> landed_;    // scratch
  std::vector<int> owing_;        // ranks that may be owed credits
  std::uint32_t missing_;         // receives to post again
  std::uint32_t idle_turns_ = 0;
  std::uint64_t messages_arrived_ = 0;
  std::uint64_t coming_ = 0;  // all that were sent to this rank
  std::vector<std::uint64_t> sent_to_;
  std::size_t unsent_ = 0;
  stage stage_ = stage::open;
  MPI_Request agreement_ = MPI_REQUEST_NULL;

  alignas(64) std::atomic<bool> locked_{false};
  alignas(64) mpsc_queue<batch> outbox_;
  alignas(64) mpsc_queue<batch> given_back_;
  alignas(64) std::atomic<bool> watched_{false};
  std::atomic<bool> needs_care_{false};
  std::atomic<bool> closed_{false};
  std::atomic<int> closing_{0};
  std::atomic<std::size_t> bytes_in_use_{0};
  std::atomic<std::size_t> bytes_allocated_{0};
};

}  // namespace tsubu::transport::mpi
