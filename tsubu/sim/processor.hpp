// One simulated PE, as the engine sees it: its end of the network, what has arrived for it, its time and its account.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <queue>
#include <unordered_map>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/sim/engine.hpp"

namespace tsubu::sim {

// One PE's end of the simulated network.
class end final : public transport::transport {
 public:
  using batch = tsubu::transport::batch;
  using bulk_source = tsubu::transport::bulk_source;
  end(engine& all, pe_id pe, int pes, std::size_t batch_bytes, int hops) : all_(all) {
    pe_ = pe;
    pe_count_ = pes;
    batch_bytes_ = batch_bytes;
    hops_ = hops;
    spin_polls_ = 0;
    each_packet_alone_ = all.player() != nullptr;
  }
  batch* acquire() override {
    all_.message_begins(*this);
    batch* b = all_.acquire();
    b->from = pe_;
    ++held_;
    return b;
  }
  int post(batch* b, pe_id to) override { return post_bulk(b, to, {}); }
  int post_bulk(batch* b, pe_id to, bulk_source source) override;
  int on_the_way(pe_id to) const override {
    const auto found = peers_.find(to);
    return found == peers_.end() ? 0 : found->second.on_the_way;
  }
  batch* poll() override;
  message_facts facts_of(batch& posted, std::size_t bulk_bytes) const {
    return receiver_->facts_of(posted, bulk_bytes);
  }
  batch* take(engine::processor& p);
  void release(batch* b) override;
  pe_id neighbour(int k) const override { return all_.network_.shape().neighbour(pe_, k, pe_count_); }
  std::size_t bytes_in_use() const override { return held_ * (sizeof(batch) + batch_bytes_); }
  std::size_t bytes_allocated() const override { return bytes_in_use(); }
  // The engine parks a PE that has nothing to do.
  void wait(std::int64_t) override {}
  void close() override {}
  [[noreturn]] void abort(int code) override {
    all_.tell_seed();
    all_.trace_.reset();  // of a job that fails it is wanted most
    std::_Exit(code);
  }

 private:
  friend class engine;
  struct peer {
    int on_the_way = 0;
    // Of what was sent to it: order per pair is kept whatever the network does. What is free has its own way.
    std::int64_t last_arrival_ps = 0, last_free_ps = 0;
  };
  struct news {  // a batch has been released, or the source of a bulk may be reused
    std::int64_t ps;
    pe_id by;
    std::uint64_t number;
    bulk_source done;  // else
    bool operator>(const news& other) const {
      if (ps != other.ps) return ps > other.ps;
      return by != other.by ? by > other.by : number > other.number;
    }
  };
  void hear(std::int64_t ps, pe_id by, const bulk_source& done = {}) {
    news_.push({ps, by, news_number_++, done});
    dones_ += done.done != nullptr ? 1 : 0;
  }

  engine& all_;
  std::unordered_map<pe_id, peer> peers_;  // that it has sent to
  std::priority_queue<news, std::vector<news>, std::greater<>> news_;
  std::uint64_t news_number_ = 0;
  int dones_ = 0;  // of the news, those of bulks
  std::size_t held_ = 0;
};

struct engine::processor {
  processor(engine& all, pe_id number, int pes, std::size_t batch_bytes, int hops)
      : wire(all, number, pes, batch_bytes, hops) {}

  end wire;
  std::unique_ptr<remote::pe> pe;
  job_ender ender;
  std::priority_queue<flight, std::vector<flight>, std::greater<>> arrivals;
  std::int64_t ps = 0;        // its time, while it does not run
  std::uint64_t version = 0;  // of its place in turns_
  std::uint64_t flights = 0;
  std::uint32_t turns_unplayed = 0;
  bool parked = false;
  std::int64_t wakes_ps = 0;  // while it is parked: when it has a turn, if nothing comes before
  bool half_way = false;      // through its turn
  bool ended = false;
  std::uint64_t charged_executed = 0, charged_sent = 0, charged_tasks = 0;
  sim::account account;
};

}  // namespace tsubu::sim
