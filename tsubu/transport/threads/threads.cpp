// PEs as threads: a ring of batches per pair in use, and each batch goes home to the PE that filled it.
#include "tsubu/transport/threads/threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/threads/cores.hpp"
#include "tsubu/transport/threads/parking.hpp"
#include "tsubu/transport/threads/ring.hpp"

namespace tsubu::transport {
namespace {

// What others may touch of a PE.
struct alignas(128) landing {
  std::atomic<batch*> come_home{nullptr};  // a stack of this PE's batches that others have released
  parking bed;
};

struct job {
  job(int pes, const launch_settings& settings)
      : batch_bytes(settings.batch_bytes_for(pes)),
        hops(settings.hops_for(pes)),
        landings(static_cast<std::size_t>(pes)),
        rings(static_cast<std::size_t>(pes) * static_cast<std::size_t>(pes)),
        everyone(pes) {}
  ~job() {
    for (auto& r : rings) delete r.load(std::memory_order_relaxed);
  }

  std::size_t pe_count() const { return landings.size(); }
  std::atomic<ring*>& slot(pe_id from, pe_id to) {
    return rings[static_cast<std::size_t>(to) * pe_count() + static_cast<std::size_t>(from)];
  }

  std::size_t batch_bytes;
  int hops;
  const int cores = usable_cores();  // before any thread is bound to one of them
  std::vector<landing> landings;
  std::vector<std::atomic<ring*>> rings;  // made by the producer when it first sends
  std::barrier<> everyone;
};

class threads_transport final : public transport {
 public:
  threads_transport(job& shared, pe_id pe) : shared_(shared), peers_(shared.pe_count()) {
    pe_ = pe;
    pe_count_ = static_cast<pe_id>(shared.pe_count());
    batch_bytes_ = shared.batch_bytes;
    hops_ = shared.hops;
    spin_polls_ = pe_count_ <= shared.cores ? 2000 : 2;
  }

  ~threads_transport() override {
    for (batch* b : arena_) {
      b->~batch();
      ::operator delete(b, std::align_val_t{64});
    }
  }

  batch* acquire() override {
    // A PE that fills batches without a poll in between shall use again what has come home.
    if (free_ == nullptr) take_home();
    batch* b = free_;
    if (b == nullptr) return make_batch();
    free_ = b->next.load(std::memory_order_relaxed);
    --free_count_;
    b->size = 0;
    b->bulk_bytes = 0;
    b->from = pe_;
    return b;
  }

  int post(batch* b, pe_id to) override {
    peer& p = peers_[static_cast<std::size_t>(to)];
    b->to = to;
    ++p.posted;
    if (p.waiting_first != nullptr || !push(p, b)) queue(p, b);
    std::uint64_t count = p.posted - p.released_seen;
    if (count > 2) {
      p.released_seen = p.to->released();
      count = p.posted - p.released_seen;
    }
    return static_cast<int>(count);
  }

  int post_bulk(batch* head, pe_id to, bulk_source source) override {
    head->bulk_data = const_cast<std::byte*>(source.bytes.data());
    head->bulk_bytes = source.bytes.size();
    if (source.done != nullptr) bulks_out_.push_back({head, source.done, source.argument});
    return post(head, to);
  }

  int on_the_way(pe_id to) const override {
    const peer& p = peers_[static_cast<std::size_t>(to)];
    return p.to == nullptr ? 0 : static_cast<int>(p.posted - p.to->released());
  }

  batch* poll() override {
    ++polls_;
    if (landing_().come_home.load(std::memory_order_relaxed) != nullptr) take_home();
    if (!landed_.empty()) tell_sources();
    if (overflowing_ != 0) push_waiting();
    const auto count = static_cast<std::size_t>(pe_count_);
    for (std::size_t i = 0; i < count; ++i) {
      if (++next_peer_ >= count) next_peer_ = 0;
      ring* r = incoming(next_peer_);
      if (r == nullptr) continue;
      batch* b = r->pop([this] { return acquire(); });
      if (b == nullptr) continue;
      b->from = static_cast<pe_id>(next_peer_);
      b->to = pe_;
      if (b->is_bulk()) land(b);
      return b;
    }
    return nullptr;
  }

  void release(batch* b) override {
    if (b->from != pe_) peers_[static_cast<std::size_t>(b->from)].from->count_released();
    auto* owner = static_cast<threads_transport*>(b->own);
    if (owner == this) {
      keep(b);
    } else {
      owner->welcome_home(b);
    }
  }

  std::size_t bytes_in_use() const override { return (arena_.size() - free_count_) * (sizeof(batch) + batch_bytes_); }
  std::size_t bytes_allocated() const override { return arena_.size() * (sizeof(batch) + batch_bytes_); }

  void wait(std::int64_t timeout_us) override {
    // Nobody tells when a full ring has room again.
    constexpr std::int64_t look_again_us = 200;
    if (overflowing_ != 0) timeout_us = std::min(timeout_us, look_again_us);
    landing_().bed.sleep(std::chrono::microseconds(timeout_us), [this] {
      if (!landed_.empty() || landing_().come_home.load(std::memory_order_seq_cst) != nullptr) return true;
      for (std::size_t i = 0; i < peers_.size(); ++i) {
        const ring* r = shared_.slot(static_cast<pe_id>(i), pe_).load(std::memory_order_seq_cst);
        if (r != nullptr && r->has_batch()) return true;
      }
      return false;
    });
  }

  void close() override { shared_.everyone.arrive_and_wait(); }

  [[noreturn]] void abort(int code) override { std::_Exit(code); }

 private:
  // Posted to a PE = in its ring + in `waiting` + popped there and not yet released + released.
  struct peer {
    ring* to = nullptr;    // made by this PE
    ring* from = nullptr;  // made by the other
    std::uint64_t posted = 0;
    std::uint64_t released_seen = 0;
    batch* waiting_first = nullptr;  // found the ring full
    batch* waiting_last = nullptr;
  };
  struct bulk_out {
    batch* head;
    void (*done)(void*);
    void* argument;
  };

  landing& landing_() { return shared_.landings[static_cast<std::size_t>(pe_)]; }

  ring* incoming(std::size_t from) {
    peer& p = peers_[from];
    if (p.from == nullptr) p.from = shared_.slot(static_cast<pe_id>(from), pe_).load(std::memory_order_acquire);
    return p.from;
  }

  batch* make_batch() {
    void* memory = ::operator new(sizeof(batch) + batch_bytes_, std::align_val_t{64});
    auto* b = new (memory) batch;
    b->capacity = static_cast<std::uint32_t>(batch_bytes_);
    b->from = pe_;
    b->own = this;
    arena_.push_back(b);
    return b;
  }

  bool push(peer& p, batch* b) {
    if (p.to == nullptr) {
      p.to = new ring;
      shared_.slot(pe_, b->to).store(p.to, std::memory_order_seq_cst);
    }
    bool copied = false;
    const pe_id to = b->to;
    if (!p.to->push(b, copied)) return false;
    if (copied) keep(b);
    shared_.landings[static_cast<std::size_t>(to)].bed.wake();
    return true;
  }

  void queue(peer& p, batch* b) {
    b->next.store(nullptr, std::memory_order_relaxed);
    if (p.waiting_first == nullptr) {
      p.waiting_first = b;
      ++overflowing_;
    } else {
      p.waiting_last->next.store(b, std::memory_order_relaxed);
    }
    p.waiting_last = b;
  }

  void push_waiting() {
    for (peer& p : peers_) {
      while (p.waiting_first != nullptr) {
        batch* b = p.waiting_first;
        batch* after = b->next.load(std::memory_order_relaxed);
        if (!push(p, b)) break;
        p.waiting_first = after;
        if (after == nullptr) --overflowing_;
      }
    }
  }

  // Copies the bulk out of the sender's memory; the sender learns that when the head comes home.
  void land(batch* head) {
    std::byte* place = receiver_->place(head->from, {head->data(), head->size}, head->bulk_bytes);
    std::memcpy(place, head->bulk_data, head->bulk_bytes);
    head->bulk_data = place;
  }

  void keep(batch* b) {
    b->next.store(free_, std::memory_order_relaxed);
    free_ = b;
    ++free_count_;
  }

  // By another PE's thread.
  void welcome_home(batch* b) {
    auto& stack = landing_().come_home;
    batch* top = stack.load(std::memory_order_relaxed);
    // A bulk's sender may sleep until it hears that its bytes are taken, so it is woken.
    const bool wake = b->is_bulk();
    do {
      b->next.store(top, std::memory_order_relaxed);
    } while (!stack.compare_exchange_weak(top, b, std::memory_order_seq_cst, std::memory_order_relaxed));
    if (wake) landing_().bed.wake();
  }

  void take_home() {
    batch* b = landing_().come_home.exchange(nullptr, std::memory_order_acquire);
    while (b != nullptr) {
      batch* after = b->next.load(std::memory_order_relaxed);
      if (b->is_bulk()) {
        landed_.push_back(b);
      } else {
        keep(b);
      }
      b = after;
    }
  }

  void tell_sources() {
    std::vector<batch*> heads;
    heads.swap(landed_);
    for (batch* head : heads) {
      tell_source(head);
      keep(head);
    }
  }

  void tell_source(const batch* head) {
    for (std::size_t i = 0; i < bulks_out_.size(); ++i) {
      if (bulks_out_[i].head != head) continue;
      const bulk_out sent = bulks_out_[i];
      bulks_out_[i] = bulks_out_.back();
      bulks_out_.pop_back();
      sent.done(sent.argument);
      return;
    }
  }

  job& shared_;
  std::vector<peer> peers_;
  std::vector<bulk_out> bulks_out_;
  std::vector<batch*> landed_;  // heads that came home; their sources are told by poll()
  std::vector<batch*> arena_;   // every batch made here
  batch* free_ = nullptr;
  std::size_t free_count_ = 0;
  std::size_t next_peer_ = 0;
  int overflowing_ = 0;  // destinations with batches in `waiting`
};

int launch(const launch_settings& settings, pe_main body, void* argument) {
  const int pes = settings.pes > 0 ? settings.pes : usable_cores();
  if (pes > max_thread_pes) {
    end_job(exit_code::usage, "tsubu: " + std::to_string(pes) +
                                  " PEs asked for, but the threads transport holds at most " +
                                  std::to_string(max_thread_pes));
  }
  job shared(pes, settings);
  const core_binding binding(settings.bind ? pes : 0);
  std::vector<int> codes(static_cast<std::size_t>(pes), 0);
  auto pe_thread = [&](pe_id pe) {
    binding.bind_this_thread(pe);
    threads_transport end(shared, pe);
    codes[static_cast<std::size_t>(pe)] = body(end, argument);
    // Another PE may still touch this end's landing and batches until it, too, has ended.
    shared.everyone.arrive_and_wait();
  };
  std::vector<std::thread> threads;
  try {
    for (pe_id pe = 1; pe < pes; ++pe) threads.emplace_back(pe_thread, pe);
  } catch (const std::system_error& e) {
    end_job(exit_code::unavailable, "tsubu: no thread for PE " + std::to_string(threads.size() + 1) + " of " +
                                        std::to_string(pes) + ": " + e.what());
  }
  pe_thread(0);
  for (auto& t : threads) t.join();
  int code = 0;
  for (int c : codes) code = c > code ? c : code;
  return code;
}

}  // namespace

launcher threads_launcher() { return launch; }

}  // namespace tsubu::transport
