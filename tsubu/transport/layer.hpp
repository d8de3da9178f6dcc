// A transport over another one, which hands on all that it does not change: the base of what looks at batches on the
// way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsubu/transport/transport.hpp"

namespace tsubu::transport {

class layer : public transport, protected receiver {
 public:
  explicit layer(transport& below) : below_(below) {
    pe_ = below.pe();
    pe_count_ = below.pe_count();
    pes_per_process_ = below.pes_per_process();
    batch_bytes_ = below.batch_bytes();
    shape_ = below.shape();
    each_packet_alone_ = below.each_packet_alone();
    shares_cores_ = below.shares_cores();
    spin_polls_ = below.spin_polls();
    has_other_threads_ = below.has_other_threads();
    below_.set_receiver(this);
  }
  layer(const layer&) = delete;
  layer& operator=(const layer&) = delete;

  batch* acquire() override { return below_.acquire(); }
  batch* with_room_for(std::size_t bytes, batch* filling, std::size_t used) override {
    return below_.with_room_for(bytes, filling, used);
  }
  int post(batch* filled, pe_id to) override { return below_.post(filled, to); }
  int post_bulk(batch* head, pe_id to, bulk_source source) override { return below_.post_bulk(head, to, source); }
  void hear_of_bulks() override { below_.hear_of_bulks(); }
  int on_the_way(pe_id to) const override { return below_.on_the_way(to); }
  batch* poll() override {
    ++polls_;
    return below_.poll();
  }
  void release(batch* taken) override { below_.release(taken); }
  std::size_t bytes_in_use() const override { return below_.bytes_in_use(); }
  std::size_t bytes_allocated() const override { return below_.bytes_allocated(); }
  void wait(std::int64_t timeout_us) override { below_.wait(timeout_us); }
  void interrupt() override { below_.interrupt(); }
  void close() override { below_.close(); }
  [[noreturn]] void abort(int code) override {
    below_.abort(code);
    __builtin_unreachable();
  }

 protected:
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override {
    return receiver_->place(from, head, bytes);
  }
  message_facts facts_of(batch& posted, std::size_t bulk_bytes) const override {
    return receiver_->facts_of(posted, bulk_bytes);
  }

 private:
  transport& below_;
};

}  // namespace tsubu::transport
