// PEs are the ranks of an MPI job, one each, and no two share memory. (Else see rank_endpoint.hpp.)
//
// Batches are received into posted receives and handed up as they lie; the credits of the lanes see to it that the
// receives always suffice. A batch's credit goes back when the floor above has released it, so the lane's count of what
// is on the way is the PE's. post() never waits, poll() is one MPI_Test when nothing has come. No lock and no atomic
// operation is on the way of a message: this is why a rank of one PE is not a rank of several (engine.hpp) that happens
// to have one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/grid.hpp"
#include "tsubu/transport/mpi/backoff.hpp"
#include "tsubu/transport/mpi/batch_pool.hpp"
#include "tsubu/transport/mpi/bulk_order.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/lanes.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class mpi_transport final : public transport {
 public:
  // Collective. `oversubscribed`: more_pes_than_cores().
  mpi_transport(const launch_settings& settings, bool oversubscribed);

  batch* acquire() override;
  int post(batch* filled, pe_id to) override;
  int post_bulk(batch* head, pe_id to, bulk_source source) override;
  int on_the_way(pe_id to) const override { return lanes_.on_the_way(links_.link_of(to)); }
  batch* poll() override;
  void release(batch* taken) override;
  std::size_t bytes_in_use() const override { return lanes_.batches().bytes_in_use(); }
  std::size_t bytes_allocated() const override { return lanes_.batches().bytes_allocated(); }
  void wait(std::int64_t timeout_us) override;
  void close() override;
  [[noreturn]] void abort(int code) override;

  bool closed() const { return lanes_.closed(); }

 private:
  // A lane for each link of the grid.
  using own_lanes = lanes<batch_pool, credit_return::at_release>;

  int enqueue(batch* b, pe_id to, std::size_t bulk_bytes);
  batch* arrival();
  batch* admit(batch* b, pe_id from);
  void admit_other(batch* b, int link, kind what);
  void place_bulks();
  void move_bulks();
  void drain();

  // Constant after construction.
  grid links_;

  own_lanes lanes_;
  bulk_order order_;              // by link
  batch_queue ready_;             // arrived, for the next polls
  std::vector<batch*> landed_;    // scratch of move_bulks()
  std::uint32_t idle_polls_ = 0;  // since the last arrival
  bool closing_ = false;          // what arrives is credited at once
  backoff backoff_;
};

}  // namespace tsubu::transport::mpi
