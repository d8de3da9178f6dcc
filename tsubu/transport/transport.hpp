// The contract between PEs: what moves batches from one to another.
//
// A transport moves batches reliably, in order per pair of PEs, and knows nothing of what is in
// them. One `transport` object is one PE's end; it is used by that PE only. Nothing here runs a
// handler or blocks, except wait().
//
// The life of a batch: acquire() gives an empty one, its PE fills data()[0 .. size), post() takes it.
// On the other side poll() hands it out, once, and release() takes it back. Whoever holds a batch may
// use `next` to chain it.
//
// What is too big for a batch travels as a *bulk*: a small batch (its head) and a span, which stays as it is
// until its sender is told; that PE's polls may be what moves it. The receiving PE is asked where the bytes shall land
// when the head has arrived and the batches before it have been handed out, and the next poll() is called; the head is
// handed out by poll() when the last byte is there. So a bulk keeps its place among the batches of its
// pair, and so do its bytes.
//
// On the way: a batch (or bulk) counts as on the way to a PE from post() until that PE has
// released it and the news has come back (news is taken in by poll()). This is what upper
// floors hold senders back by.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/transport/grid.hpp"

namespace tsubu::transport {

// Room in an ordinary batch, header excluded, unless the job's settings say otherwise: 256 KiB, where a batch's own
// cost no longer shows in a crowd; less where a PE has more links, so that its open batches stay within 1 MiB (4 KiB
// each at the least). On a grid 8 KiB are enough: a packet waits there for a batch on each of its links.
inline constexpr std::size_t usual_batch_bytes(int links, int hops) {
  const std::size_t share = (std::size_t{1} << 20) / static_cast<std::size_t>(links) / 64 * 64;
  const std::size_t most = hops > 1 ? 8192 : 262144;
  return share < 4096 ? 4096 : (share > most ? most : share);
}

// The most so that a batch being filled and eight on the way, on each link, stay within so many bytes (4 KiB at the
// least).
inline constexpr std::size_t batch_bytes_within(std::size_t memory_bytes, int links) {
  const std::size_t share = memory_bytes / (9 * static_cast<std::size_t>(links)) / 64 * 64;
  return share < 4096 ? 4096 : share;
}

// A buffer of packets for one next hop. Its 48-byte header is followed by `capacity` bytes; the whole
// is aligned to a cache line, so that a lone short message arrives with its header in one line or two.
struct batch {
  std::atomic<batch*> next{nullptr};  // for the holder; transports queue batches by it
  std::uint32_t size = 0;             // bytes used, by the filler
  std::uint32_t capacity = 0;         // bytes of room, by the transport
  pe_id from = no_pe;                 // the PE that posted it
  pe_id to = no_pe;                   // the PE it was posted to
  std::byte* bulk_data = nullptr;     // of an arrived bulk: where its bytes have landed
  std::size_t bulk_bytes = 0;         // of a bulk: how many
  void* own = nullptr;                // for the transport only

  std::byte* data() { return reinterpret_cast<std::byte*>(this) + sizeof(batch); }
  bool is_bulk() const { return bulk_bytes != 0; }
};

// What the floor above answers to a transport.
class receiver {
 public:
  // Where shall the `bytes` bytes of a bulk from PE `from` land? `head` is the head's data.
  // Called on the receiving PE, from poll(), before the bytes move. Never null.
  virtual std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) = 0;

  // What the first packet of a batch means that this PE has just posted, with a bulk of so many bytes or none: for a
  // transport that treats packets differently, as a simulated machine does. No transport takes a batch apart by itself.
  virtual message_facts facts_of(batch& posted, std::size_t bulk_bytes) const = 0;

 protected:
  ~receiver() = default;
};

// Told on the sending PE, from poll() or hear_of_bulks(), when the source of a bulk may be reused.
struct bulk_source {
  std::span<const std::byte> bytes;
  void (*done)(void* argument) = nullptr;  // may be null
  void* argument = nullptr;
};

class transport {
 public:
  virtual ~transport() = default;

  pe_id pe() const { return pe_; }
  pe_id pe_count() const { return pe_count_; }
  std::size_t batch_bytes() const { return batch_bytes_; }
  // Packets shall reach any PE over so many links at most; batches are then posted along the links of that grid only.
  int hops() const { return shape_.hops; }
  grid_shape shape() const { return shape_; }

  // Each packet shall leave in a batch of its own, in the order of sending, and senders are never held back: on a
  // machine that sends each message by itself. Such a transport has one hop.
  bool each_packet_alone() const { return each_packet_alone_; }

  // Where the bulks of this PE land. Set once, before the first poll().
  void set_receiver(receiver* floor_above) { receiver_ = floor_above; }

  // An empty batch. Local; never null. It has room for batch_bytes() bytes; where PEs are simulated, for fewer at
  // first.
  virtual batch* acquire() = 0;

  // For who fills a batch: that one, or another in its place with its first `used` bytes, which has room for `bytes`,
  // at most batch_bytes().
  virtual batch* with_room_for(std::size_t /*bytes*/, batch* filling, std::size_t /*used*/) { return filling; }
  batch* acquire_for(std::size_t bytes) { return with_room_for(bytes, acquire(), 0); }

  // Sends a filled batch to another PE (never to the own). Local; never blocks. Returns how many are
  // now on the way to that PE, this one included.
  virtual int post(batch* filled, pe_id to) = 0;

  // Sends `head` and the bytes of `source`, which must stay unchanged until source.done is called.
  // bytes: at least 1, less than 2^40. Returns as post().
  virtual int post_bulk(batch* head, pe_id to, bulk_source source) = 0;

  // Tells the sources of bulks whose bytes have been taken, as poll() does, for who sends much without a poll. What it
  // has not heard of yet is told by poll().
  virtual void hear_of_bulks() {}

  // Batches on the way to `to`, as far as this PE has heard.
  virtual int on_the_way(pe_id to) const = 0;

  // The next arrived batch, or null. Also moves what is under way. Cheap when there is nothing.
  virtual batch* poll() = 0;

  // Gives back a batch got from poll(), or from acquire() and never posted.
  virtual void release(batch* taken) = 0;

  // Memory of this PE's batches, in bytes: those in somebody's hands or on the way, and all there are.
  virtual std::size_t bytes_in_use() const = 0;
  virtual std::size_t bytes_allocated() const = 0;

  // Sleeps until poll() may find something, or the source of a bulk is told or can be, or `timeout_us` microseconds
  // have passed (at most; may return early). Called when this PE has nothing to do; the caller has polled in vain for a
  // while.
  virtual void wait(std::int64_t timeout_us) = 0;

  // By any thread of this PE's process: the wait() that goes on returns at once, or else the next one does. Under MPI,
  // and between nodes, within a millisecond.
  virtual void interrupt() {
    interrupted_.store(true, std::memory_order_seq_cst);
    wake_up();
  }

  // Behind it, all that was posted has arrived, and polls hand it out: the PEs have promised to post no more.
  // Collective; blocks until every PE has called it.
  virtual void close() = 0;

  // Ends all PEs of the job with `code`. May be called by any thread of the process.
  [[noreturn]] virtual void abort(int code) = 0;

  // How often to poll in vain before wait() is worth while: few when PEs share their cores.
  int spin_polls() const { return spin_polls_; }

  // All PEs of the job share memory, and are more than the cores they run on: most of them wait for a core. The same on
  // all PEs.
  bool shares_cores() const { return shares_cores_; }

  // The PEs run beside other threads, which may interrupt them: none does where PEs are simulated.
  bool has_other_threads() const { return has_other_threads_; }

  // How many PEs each process of the job holds: their messages to each other stay inside.
  pe_id pes_per_process() const { return pes_per_process_; }

  // Calls of poll() so far, for accounting.
  std::uint64_t polls() const { return polls_; }

 protected:
  // For wait(): whether somebody has interrupted it; asked after whoever interrupts would call wake_up() in vain.
  bool interrupted() const { return interrupted_.load(std::memory_order_seq_cst); }
  void forget_interruption() { interrupted_.store(false, std::memory_order_seq_cst); }
  // By any thread.
  virtual void wake_up() {}

  pe_id pe_ = 0;
  pe_id pe_count_ = 1;
  pe_id pes_per_process_ = 1;
  std::size_t batch_bytes_ = 0;
  grid_shape shape_;
  bool each_packet_alone_ = false;
  bool shares_cores_ = false;
  bool has_other_threads_ = true;
  receiver* receiver_ = nullptr;
  int spin_polls_ = 2000;
  static constexpr int oversubscribed_spin_polls = 2;  // when PEs share cores
  std::uint64_t polls_ = 0;

 private:
  std::atomic<bool> interrupted_{false};
};

// What a job asks of a transport.
struct launch_settings {
  int pes = 0;           // 0: as many as cores this process may use (threads), or as were launched (MPI)
  int pes_per_rank = 1;  // MPI: PE threads of each process
  int threads = 0;       // threads: so many carry the PEs; 0: one for each PE, or for each core if these are fewer
  std::size_t batch_bytes = 0;                       // a multiple of 64; 0: usual_batch_bytes()
  std::size_t memory_bytes = std::size_t{64} << 20;  // of a PE, for messages: bounds the usual size of batches

  grid_shape shape_for(int job_pes) const { return shape_of(job_pes, hops, row); }
  std::size_t batch_bytes_for(int job_pes) const {
    if (batch_bytes != 0) return batch_bytes;
    const grid_shape shape = shape_for(job_pes);
    const int links = link_count(job_pes, shape);
    return std::min(usual_batch_bytes(links, shape.hops), batch_bytes_within(memory_bytes / 2, links));
  }
  int hops = 0;              // 1 to most_hops; 0: as in usual_shape()
  pe_id row = 0;             // set by launchers who know nodes: see usual_shape()
  bool bind = true;          // bind PEs to cores when there are enough of them
  int slice_us = 100;        // of a PE that shares a core, at a time; 0: as the kernel has it
  bool share_memory = true;  // MPI: ranks of one node pass messages through memory
  int pretended_nodes = 0;   // MPI, for tests: ranks are dealt to so many nodes, whatever machine they are on; 0: off
  bool takes_part = true;    // MPI: no: this rank tells the others that there will be no job
};

// Runs one PE. Called once on every PE of this process, each with its own end of the transport.
// Returns the exit code of the process (the launcher returns the largest).
using pe_main = int (*)(transport& own_end, void* argument);

// What the PEs share that take turns on one thread.
class shared_thread {
 public:
  // By PE.
  std::span<transport* const> ends() const { return ends_; }
  // Sleeps as transport::wait() of all of them: until poll() of one may find something, or one is interrupted.
  virtual void wait(std::int64_t timeout_us) = 0;
  // transport::close() of all of them.
  virtual void close() = 0;

 protected:
  ~shared_thread() = default;
  std::vector<transport*> ends_;
};

// Runs several PEs, by turns. Returns as a pe_main.
using turns_main = int (*)(shared_thread& thread, void* argument);

// What a launcher runs. A body without `time_multiplexed` has a thread for each of its PEs.
struct job_body {
  job_body(pe_main one_pe, turns_main several = nullptr) : each(one_pe), time_multiplexed(several) {}
  pe_main each;
  turns_main time_multiplexed;
};

// Starts the PEs that this process holds, and returns when all have ended.
using launcher = int (*)(const launch_settings& settings, job_body body, void* argument);

// What a plug-in exports, under the name `tsubu_transport_plugin`. A plug-in is built against these
// declarations only; `abi` must be the number below.
inline constexpr std::uint32_t plugin_abi = 14;
struct plugin {
  std::uint32_t abi;
  const char* name;  // "openmpi", "mpich"
  launcher launch;
};

}  // namespace tsubu::transport
