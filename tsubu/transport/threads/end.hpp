// One PE's end among the threads of a process.
//
// A transport of its own, and the inner part of the MPI transport when a rank holds several PEs. Its parts: the batches
// that this PE has made (batch_arena), its rings to and from the others (ring_set), and the sources of its bulks
// (bulk_sources). All is inline, since a lone message takes no longer than a few of these calls would.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "tsubu/transport/threads/batch_arena.hpp"
#include "tsubu/transport/threads/bulk_sources.hpp"
#include "tsubu/transport/threads/rank_group.hpp"
#include "tsubu/transport/threads/ring_set.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class threads_end final : public transport {
 public:
  threads_end(rank_group& shared, pe_id pe, int hops = 1)
      : shared_(shared), batches_(shared, pe), rings_(shared, pe, batches_) {
    pe_ = pe;
    pe_count_ = static_cast<pe_id>(shared.pe_count());
    batch_bytes_ = shared.batch_bytes;
    hops_ = hops;
    pes_per_process_ = pe_count_;
    spin_polls_ = pe_count_ <= shared.cores ? 2000 : 2;
  }

  batch* acquire() override { return batches_.take(); }

  int post(batch* b, pe_id to) override { return rings_.post(b, to); }

  int post_bulk(batch* head, pe_id to, bulk_source source) override {
    sources_.offer(head, source);
    return rings_.post(head, to);
  }

  int on_the_way(pe_id to) const override { return rings_.on_the_way(to); }

  batch* poll() override {
    ++polls_;
    if (batches_.has_returned(std::memory_order_relaxed)) batches_.fetch_returned();
    if (batches_.has_returned_heads()) tell_sources();
    if (rings_.has_waiting()) rings_.push_waiting();
    batch* b = rings_.next([this] { return batches_.take(); });
    if (b != nullptr && b->is_bulk()) land(b);
    return b;
  }

  void release(batch* b) override {
    if (b->from != pe_) rings_.count_released(b->from);
    batch_arena& maker = batch_arena::maker_of(b);
    if (&maker == &batches_) {
      batches_.put(b);
    } else {
      maker.put_from_any_thread(b);
    }
  }

  std::size_t bytes_in_use() const override { return batches_.bytes_in_use(); }
  std::size_t bytes_allocated() const override { return batches_.bytes_allocated(); }

  void wait(std::int64_t timeout_us) override {
    sleep(timeout_us, [] { return false; });
  }

  // wait(), which also ends when another wakes this PE, and does not begin when `more_work` says so.
  template <class MoreWork>
  void sleep(std::int64_t timeout_us, MoreWork more_work) {
    // Nobody tells when a full ring has room again.
    constexpr std::int64_t look_again_us = 200;
    if (rings_.has_waiting()) timeout_us = std::min(timeout_us, look_again_us);
    bed().sleep(std::chrono::microseconds(timeout_us), [&] { return has_work() || more_work(); });
  }

  // Whether poll() may find something.
  bool has_work() {
    return batches_.has_returned_heads() || batches_.has_returned(std::memory_order_seq_cst) || rings_.has_arrival();
  }

  // By any thread, after its work is published. False if this PE did not sleep.
  bool wake() { return bed().wake(); }

  // The batches of this PE, for what carries them further than its rings do.
  batch_arena& batches() { return batches_; }

  void close() override { shared_.everyone.arrive_and_wait(); }

  [[noreturn]] void abort(int code) override { std::_Exit(code); }

 private:
  parking& bed() { return shared_.public_part_of(pe_).bed; }

  // Copies the bulk out of the sender's memory; the sender learns that when the head is given back.
  void land(batch* head) {
    std::byte* place = receiver_->place(head->from, {head->data(), head->size}, head->bulk_bytes);
    std::memcpy(place, head->bulk_data, head->bulk_bytes);
    head->bulk_data = place;
  }

  void tell_sources() {
    for (batch* head : batches_.take_returned_heads()) {
      sources_.tell(head);
      batches_.put(head);
    }
  }

  rank_group& shared_;
  batch_arena batches_;
  ring_set rings_;
  bulk_sources sources_;
};

}  // namespace tsubu::transport
