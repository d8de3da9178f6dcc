// One PE's end among PEs that share memory.
//
// A transport of its own, for a job whose PEs all share memory, be they threads of a process or of several; and the
// inner part of the MPI transport's, towards the PEs of the same node. Its parts: the batches that this PE has made
// (batch_arena), its rings to and from the others (ring_set), and the sources and landings of bulks. All is inline,
// since a lone message takes no longer than a few of these calls would.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/shared/batch_arena.hpp"
#include "tsubu/transport/shared/bulk_landing.hpp"
#include "tsubu/transport/shared/bulk_sources.hpp"
#include "tsubu/transport/shared/group.hpp"
#include "tsubu/transport/shared/ring_set.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class shared_end final : public transport {
 public:
  // Nobody tells when a full ring has room again, or that one fills while its receiver closes.
  static constexpr std::int64_t look_again_us = 200;

  shared_end(shared_group& shared, pe_id pe, grid_shape shape = {})
      : shared_(shared), batches_(shared, pe), rings_(shared, pe, batches_), landings_(shared) {
    pe_ = pe;
    pe_count_ = static_cast<pe_id>(shared.pe_count());
    batch_bytes_ = shared.facts().batch_bytes;
    shape_ = shape;
    pes_per_process_ = shared.pes_per_process();
    shares_cores_ = shared.facts().shares_cores;
    if (shared.facts().oversubscribed) spin_polls_ = oversubscribed_spin_polls;
  }

  batch* acquire() override { return batches_.take(); }

  int post(batch* b, pe_id to) override { return rings_.post(b, to); }

  int post_bulk(batch* head, pe_id to, bulk_source source) override {
    sources_.offer(head, source);
    const int count = rings_.post(head, to);
    if (rings_.has_waiting()) rings_.push_waiting();
    return count;
  }

  void hear_of_bulks() override {
    batches_.fetch_returned();
    if (batches_.has_returned_heads()) tell_sources();
  }

  int on_the_way(pe_id to) const override { return rings_.on_the_way(to); }

  batch* poll() override {
    ++polls_;
    if (batches_.has_returned(std::memory_order_relaxed)) batches_.fetch_returned();
    if (batches_.has_returned_heads()) tell_sources();
    if (rings_.has_waiting()) rings_.push_waiting();
    batch* b = rings_.next([this] { return batches_.take(); });
    if (b != nullptr && (b->is_bulk() || landings_.has_begun())) [[unlikely]]
      b = land(b);
    if (b == nullptr && closed_) [[unlikely]]
      b = kept_.pop();
    return b;
  }

  void release(batch* b) override {
    if (b->from != pe_) rings_.count_released(b->from);
    batches_.give_back(b);
  }

  std::size_t bytes_in_use() const override { return batches_.bytes_in_use(); }
  std::size_t bytes_allocated() const override { return batches_.bytes_allocated(); }

  void wait(std::int64_t timeout_us) override {
    sleep(timeout_us, [this] { return interrupted(); });
    forget_interruption();
  }

  // wait(), which also ends when another wakes this PE, and does not begin when `more_work` says so.
  template <class MoreWork>
  void sleep(std::int64_t timeout_us, MoreWork more_work) {
    if (shared_.facts().oversubscribed) {
      for (int turn = 0; turn < turns_for_others; ++turn) {
        if (has_work() || more_work()) return;
        sched_yield();
      }
    }
    if (has_waiting()) timeout_us = std::min(timeout_us, look_again_us);
    bed().sleep(std::chrono::microseconds(timeout_us), [&] { return has_work() || more_work(); });
  }

  // Whether poll() may find something.
  bool has_work() {
    return batches_.has_returned_heads() || batches_.has_returned(std::memory_order_seq_cst) || rings_.has_arrival();
  }

  // Whether something waits for room in a ring: only poll() moves it on, so nobody may wait for long now.
  bool has_waiting() const { return rings_.has_waiting(); }

  // In steps, for PEs that take turns on one thread. What wait() waits for: work, or an interruption, which
  // woken_up() forgets.
  bool has_reason() { return has_work() || interrupted(); }
  void woken_up() { forget_interruption(); }
  // The end of close(), when all PEs have come.
  void end_close() {
    keep_arrivals();
    closed_ = true;
  }

  // By any thread, after its work is published. False if this PE did not sleep.
  bool wake() { return bed().wake(); }

  // The batches of this PE, for what carries them further than its rings do.
  batch_arena& batches() { return batches_; }

  // What has been posted may wait for room in a ring to a PE that is here already, and polls no more. So each empties
  // its rings until all have nothing waiting; and once more then, for what came last. It stays for later polls.
  void close() override {
    while (has_waiting()) {
      if (!keep_arrivals()) wait(look_again_us);
    }
    meeting& everyone = shared_.everyone();
    const std::uint32_t round = everyone.arrive();
    for (int looks = spin_polls_; !everyone.is_over(round); --looks) {
      if (!keep_arrivals() && looks <= 0) everyone.wait(round, std::chrono::microseconds(look_again_us));
    }
    end_close();
  }
  bool closed() const { return closed_; }

  // Takes all that has arrived, for the polls behind close(). False if nothing had.
  bool keep_arrivals() {
    bool any = false;
    do {
      if (batch* b = poll()) {
        kept_.push(b);
        any = true;
      }
    } while (rings_.has_arrival());
    return any;
  }

  [[noreturn]] void abort(int code) override {
    shared_.facts().ending.abort(code);
    std::abort();  // the compiler does not know that it does not return
  }

 private:
  // Where PEs share cores, one that has nothing to do gives its core away so often before it sleeps: a core on which
  // nobody can run is put to sleep as well, and takes longer to get up than all of these turns.
  static constexpr int turns_for_others = 50;

  void wake_up() override { wake(); }

  parking& bed() { return shared_.bed_of(pe_); }

  [[gnu::noinline]] batch* land(batch* b) {
    const pe_id from = rings_.last_sender();
    return landings_.take(b, from, batches_, [&](std::span<const std::byte> head, std::size_t bytes) {
      return receiver_->place(from, head, bytes);
    });
  }

  void tell_sources() {
    for (batch* head : batches_.take_returned_heads()) {
      sources_.tell(head);
      batches_.put(head);
    }
  }

  shared_group& shared_;
  batch_arena batches_;
  ring_set rings_;
  bulk_sources sources_;
  bulk_landing landings_;
  batch_queue kept_;  // arrived while this PE closed
  bool closed_ = false;
};

}  // namespace tsubu::transport
