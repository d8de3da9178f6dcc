// PEs are the ranks of an MPI job, one each. (Several PEs a rank: rank_endpoint.hpp.)
//
// Batches are received into posted receives and handed up as they lie; credits see to it that the
// receives always suffice, so that MPI never has to keep an unexpected message. What exceeds a
// sender's credits waits in its own memory. post() never waits, poll() is one MPI_Test when nothing
// has come.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "tsubu/transport/mpi/batch_list.hpp"
#include "tsubu/transport/mpi/batch_pool.hpp"
#include "tsubu/transport/mpi/bulk.hpp"
#include "tsubu/transport/mpi/credits.hpp"
#include "tsubu/transport/mpi/receive_ring.hpp"
#include "tsubu/transport/mpi/backoff.hpp"
#include "tsubu/transport/mpi/send_list.hpp"
#include "tsubu/transport/mpi/wire.hpp"
#include "tsubu/transport/mpi/world.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class mpi_transport final : public transport {
 public:
  // Collective.
  explicit mpi_transport(const launch_settings& settings);

  batch* acquire() override;
  int post(batch* filled, pe_id to) override;
  int post_bulk(batch* head, pe_id to, bulk_source source) override;
  int on_the_way(pe_id to) const override { return peer_of(to).count.on_the_way(); }
  batch* poll() override;
  void release(batch* taken) override;
  std::size_t bytes_in_use() const override { return pool_.bytes_in_use(); }
  std::size_t bytes_allocated() const override { return pool_.bytes_allocated(); }
  void wait(std::int64_t timeout_us) override;
  void close() override;
  [[noreturn]] void abort(int code) override;

  bool closed() const { return stage_ == stage::closed; }

 private:
  struct peer {
    credits count;
    std::uint64_t messages = 0;  // sent to it, of any kind
    batch_list unsent;           // posted, waiting for credit
    batch_list held;             // arrived; begins with a bulk head whose bytes are not all there
    bool listed = false;         // in owing_
  };

  enum class stage : std::uint8_t {
    open,
    draining,  // close() is under way: what arrives is credited at once
    silent,    // all is posted everywhere: no more news is needed
    closed
  };

  std::size_t peer_count() const { return static_cast<std::size_t>(links_.links() - 1); }
  peer& peer_of(pe_id pe);
  const peer& peer_of(pe_id pe) const { return const_cast<mpi_transport*>(this)->peer_of(pe); }

  // Sending.
  int enqueue(batch* b, pe_id to, std::uint64_t bulk_bytes);
  void send_batch(peer& p, batch* b);
  void send_news(peer& p, pe_id to, kind what);
  void send(peer& p, batch* b, pe_id to, prefix header);
  void acknowledge(peer& p, std::uint32_t credits);

  // Receiving.
  batch* arrival();
  batch* admit(batch* b, pe_id from);
  batch* admit_batch(peer& p, batch* b);
  void admit_bulk(peer& p, batch* b);
  void place_bulks();
  void hand_out_held(peer& p);

  // Credits of others.
  void credit(peer& p);
  void owe(peer& p, pe_id to);
  void pay_all();

  // What has to be done now and then.
  void chores();
  void post_receives();
  void receive_is_missing();
  void move_bulks();
  bool has_chores() const { return missing_ != 0 || !sends_.empty(); }

  // Closing.
  template <typename Condition>
  void drain_until(Condition reached);
  void complete(MPI_Request request);
  bool all_sent() const { return unsent_ == 0 && sends_.empty() && bulks_.idle(); }

  communicators comms_;
  grid links_;
  std::uint32_t credit_limit_ = 0;
  std::uint32_t pay_at_ = 1;  // owed credits that are worth a message of their own
  std::vector<peer> peers_;   // by link
  batch_pool pool_;
  receive_ring receives_;
  send_list sends_;
  bulk_mover bulks_;
  batch_list ready_;              // arrived, for the next polls
  std::vector<pe_id> unplaced_;   // whose `held` begins with a bulk that has no place yet
  std::vector<batch*> landed_;    // scratch
  std::vector<pe_id> owing_;      // peers that may be owed credits
  std::uint32_t missing_ = 0;     // receives to post again: posted + unreleased + missing = all
  std::uint32_t idle_polls_ = 0;  // since the last arrival
  std::uint64_t messages_arrived_ = 0;
  std::size_t unsent_ = 0;  // batches in all `unsent`
  stage stage_ = stage::open;
  bool crowded_;  // more ranks than cores
  backoff backoff_;
};

}  // namespace tsubu::transport::mpi
