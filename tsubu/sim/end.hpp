// One PE's end of the simulated network: what it sends and takes, and what it hears of what it has sent.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "tsubu/sim/in_flight_table.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::sim {

class engine;  // NOLINT(cppcoreguidelines-virtual-class-destructor): it is final
struct processor;

class end final : public transport::transport {
 public:
  using batch = tsubu::transport::batch;
  using bulk_source = tsubu::transport::bulk_source;
  end(engine& all, pe_id pe, int pes, std::size_t batch_bytes, ::tsubu::transport::grid_shape shape);

  batch* acquire() override;
  batch* with_room_for(std::size_t bytes, batch* filling, std::size_t used) override;
  int post(batch* b, pe_id to) override { return post_bulk(b, to, {}); }
  int post_bulk(batch* b, pe_id to, bulk_source source) override;
  int on_the_way(pe_id to) const override;
  batch* poll() override;
  void release(batch* b) override;
  std::size_t bytes_in_use() const override { return held_ * (sizeof(batch) + batch_bytes_); }
  std::size_t bytes_allocated() const override { return bytes_in_use(); }
  // The engine parks a PE that has nothing to do.
  void wait(std::int64_t) override {}
  void close() override {}
  [[noreturn]] void abort(int code) override;

  // ---- for the engine

  // In order per pair, whatever the network does: a message from here to `to` that comes at `ps` is there then. What is
  // free has its own way.
  std::int64_t in_order(pe_id to, std::int64_t ps, bool free);
  // When the next source of a bulk may be reused, which its PE waits for; INT64_MAX: it waits for none.
  std::int64_t next_done_ps() const { return dones_ > 0 ? news_.top().ps : INT64_MAX; }

 private:
  struct news {  // a batch has been released, or the source of a bulk may be reused
    std::int64_t ps;
    pe_id by;
    std::uint64_t number;
    void (*done)(void* argument);  // of that source; else null
    void* argument;
    bool operator>(const news& other) const {
      if (ps != other.ps) return ps > other.ps;
      return by != other.by ? by > other.by : number > other.number;
    }
  };
  processor& own() const;
  void hear(std::int64_t ps, pe_id by, const bulk_source& done = {});
  void take_news(std::int64_t now_ps);
  batch* take(std::int64_t now_ps);
  void land(batch* b, pe_id from, const bulk_source& source);

  engine& all_;
  in_flight_table ways_;
  std::priority_queue<news, std::vector<news>, std::greater<>> news_;
  std::uint64_t news_number_ = 0;
  int dones_ = 0;  // of the news, those of bulks
  std::size_t held_ = 0;
};

}  // namespace tsubu::sim
