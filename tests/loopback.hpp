// A transport inside one thread, for unit tests of the floors above: what is posted arrives when the test lets it.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::test {

using transport::batch;
using transport::bulk_source;

class loopback;

// One PE's end. poll() hands out at most `allowed` batches; refill it to let more arrive. They come in the order in
// which they were posted, or, with `dice`, in that order from each sender only; what comes from `slow` is then
// overtaken by much that is posted later.
class loopback_end final : public transport::transport {
 public:
  loopback_end(loopback& all, pe_id pe, pe_id pes, std::size_t batch_bytes, ::tsubu::transport::grid_shape shape)
      : all_(all), count_(static_cast<std::size_t>(pes)) {
    pe_ = pe;
    pe_count_ = pes;
    batch_bytes_ = batch_bytes;
    shape_ = shape;
    spin_polls_ = 0;
  }
  ~loopback_end() override {
    for (batch* b : arena_) {
      b->~batch();
      ::operator delete(b, std::align_val_t{64});
    }
  }

  batch* acquire() override {
    if (free_.empty()) {
      void* memory = ::operator new(sizeof(batch) + batch_bytes_, std::align_val_t{64});
      arena_.push_back(new (memory) batch);
      arena_.back()->capacity = static_cast<std::uint32_t>(batch_bytes_);
      free_.push_back(arena_.back());
    }
    batch* b = free_.back();
    free_.pop_back();
    b->size = 0;
    b->from = no_pe;
    b->bulk_bytes = 0;
    b->own = this;
    // What a batch had before means nothing: a reader that trusts it shall crash.
    b->bulk_data = reinterpret_cast<std::byte*>(std::uintptr_t{8});
    return b;
  }

  inline int post(batch* filled, pe_id to) override;
  inline int post_bulk(batch* head, pe_id to, bulk_source source) override;
  void hear_of_bulks() override {
    while (!taken_.empty()) {
      const bulk_source source = taken_.front();
      taken_.pop_front();
      source.done(source.argument);
    }
  }
  int on_the_way(pe_id to) const override { return count_[static_cast<std::size_t>(to)]; }

  batch* poll() override {
    ++polls_;
    hear_of_bulks();
    if (arrived_.empty() || allowed == 0) return nullptr;
    auto first = arrived_.begin();
    if (dice != nullptr) {
      const pe_id sender = arrived_[(*dice)() % arrived_.size()].head->from;
      if (sender == slow && (*dice)() % 16 != 0) return nullptr;
      while (first->head->from != sender) ++first;
    }
    --allowed;
    const arrival a = *first;
    arrived_.erase(first);
    if (damage) damage(*a.head, {a.head->data(), a.head->size});
    if (a.head->is_bulk()) {
      a.head->bulk_data = receiver_->place(a.head->from, {a.head->data(), a.head->size}, a.head->bulk_bytes);
      std::memcpy(a.head->bulk_data, a.source.bytes.data(), a.source.bytes.size());
      tell(a.head->from, a.source);
      if (damage) damage(*a.head, {a.head->bulk_data, a.head->bulk_bytes});
    }
    return a.head;
  }

  inline void release(batch* taken) override;
  std::size_t bytes_in_use() const override { return (arena_.size() - free_.size()) * (sizeof(batch) + batch_bytes_); }
  std::size_t bytes_allocated() const override { return arena_.size() * (sizeof(batch) + batch_bytes_); }
  void wait(std::int64_t) override {}
  void close() override {}
  [[noreturn]] void abort(int code) override { std::_Exit(code); }

  std::size_t waiting() const { return arrived_.size(); }
  bool has_sources_to_tell() const { return !taken_.empty(); }
  std::size_t batches_made() const { return arena_.size(); }

  ::tsubu::transport::receiver& floor_above() { return *receiver_; }
  void send_each_packet_alone() { each_packet_alone_ = true; }
  void share_cores() { shares_cores_ = true; }

  int allowed = 1 << 30;
  std::mt19937_64* dice = nullptr;
  pe_id slow = no_pe;
  // What happens on the way to a batch that arrives, and to its bulk: their bytes.
  std::function<void(batch&, std::span<std::byte>)> damage;

 private:
  struct arrival {
    batch* head;
    bulk_source source;
  };

  inline void tell(pe_id sender, const bulk_source& taken);

  loopback& all_;
  std::vector<int> count_;
  std::deque<bulk_source> taken_;  // whose bytes have arrived, which this PE has not heard yet
  std::deque<arrival> arrived_;
  std::vector<batch*> arena_;
  std::vector<batch*> free_;
};

// All ends of a job.
class loopback {
 public:
  explicit loopback(pe_id pes, std::size_t batch_bytes = 1024, ::tsubu::transport::grid_shape shape = {}) {
    for (pe_id pe = 0; pe < pes; ++pe) {
      ends_.push_back(std::make_unique<loopback_end>(*this, pe, pes, batch_bytes, shape));
    }
  }
  loopback_end& operator[](pe_id pe) { return *ends_[static_cast<std::size_t>(pe)]; }
  pe_id size() const { return static_cast<pe_id>(ends_.size()); }

  // Something has not arrived, or its source has not heard of it.
  bool anything_waiting() const {
    for (const auto& end : ends_) {
      if (end->waiting() != 0 || end->has_sources_to_tell()) return true;
    }
    return false;
  }

 private:
  std::vector<std::unique_ptr<loopback_end>> ends_;
};

inline int loopback_end::post(batch* filled, pe_id to) {
  require(to != pe_ && to >= 0 && to < pe_count_ && ::tsubu::transport::grid(pe_count_, pe_, shape_).is_neighbour(to),
          "a transport is given a PE that it cannot reach");
  filled->from = pe_;
  filled->to = to;
  all_[to].arrived_.push_back({filled, {}});
  return ++count_[static_cast<std::size_t>(to)];
}

inline void loopback_end::tell(pe_id sender, const bulk_source& taken) {
  if (taken.done != nullptr) all_[sender].taken_.push_back(taken);
}

inline int loopback_end::post_bulk(batch* head, pe_id to, bulk_source source) {
  head->bulk_bytes = source.bytes.size();
  const int on_the_way = post(head, to);
  all_[to].arrived_.back().source = source;
  return on_the_way;
}

inline void loopback_end::release(batch* taken) {
  auto* owner = static_cast<loopback_end*>(taken->own);
  if (taken->from != no_pe) --owner->count_[static_cast<std::size_t>(pe_)];
  owner->free_.push_back(taken);
}

}  // namespace tsubu::test
