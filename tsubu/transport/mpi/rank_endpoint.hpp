// A PE's end when it shares memory with some PEs of the job and not with all: what goes to a PE of the same node moves
// through that memory, what goes to another node moves through the rank's engine. (Where ranks share no memory, the PEs
// of a rank are a node by themselves.)
//
// Both parts are asked in each poll that finds nothing; MPI itself, the slower, less often after it had nothing
// for long. Of the PEs of a rank that sleep, one keeps watch over MPI and wakes those for whom something comes.
//
// Towards PEs of other nodes, each PE counts what it has posted and hears what has been released: with the next
// batch of that PE, or in a message of its own when 4 are owed, after 32 polls in vain, or before this PE sleeps.
#pragma once

#include <cstdint>
#include <vector>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/mpi/backoff.hpp"
#include "tsubu/transport/mpi/bulk_order.hpp"
#include "tsubu/transport/mpi/engine.hpp"
#include "tsubu/transport/mpi/inbox.hpp"
#include "tsubu/transport/mpi/label.hpp"
#include "tsubu/transport/mpi/node_map.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class rank_endpoint final : public transport, private receiver {
 public:
  // `near`: the PEs of this node, in whose group they have the numbers that `numbers` says. `number`: of this PE in its
  // rank. All ends of the rank are made before one is used.
  rank_endpoint(shared_group& near, const node_map& numbers, engine& far, int number);
  ~rank_endpoint() override;

  batch* acquire() override;
  int post(batch* filled, pe_id to) override;
  int post_bulk(batch* head, pe_id to, bulk_source source) override;
  void hear_of_bulks() override { inner_.hear_of_bulks(); }
  int on_the_way(pe_id to) const override;
  batch* poll() override;
  void release(batch* taken) override;
  std::size_t bytes_in_use() const override { return inner_.bytes_in_use() + share(engine_.bytes_in_use()); }
  std::size_t bytes_allocated() const override { return inner_.bytes_allocated() + share(engine_.bytes_allocated()); }
  void wait(std::int64_t timeout_us) override;
  void close() override;
  [[noreturn]] void abort(int code) override;

  bool closed() const { return engine_.closed(); }

 private:
  // A PE of another node.
  struct peer {
    std::uint32_t posted = 0;
    std::uint32_t owed = 0;  // released here, not yet told
    bool listed = false;     // in owing_
  };

  peer& peer_of(pe_id pe) { return peers_[static_cast<std::size_t>(pe)]; }
  std::size_t share(std::size_t of_rank) const { return of_rank / static_cast<std::size_t>(pes_per_process_); }

  // Called by the inner end, with numbers of its own.
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override;
  message_facts facts_of(batch& posted, std::size_t bulk_bytes) const override;

  void wake_up() override { inner_.wake(); }  // it sleeps in that one's bed

  batch* near();
  batch* far();
  void look();
  void collect();
  void sort_in(batch* b);
  void place_bulks();
  void tell_sources();
  bool has_far_work() const { return !inbox_.fetched.empty() || !inbox_.arrived.empty() || !inbox_.sent.empty(); }

  int submit(batch* b, pe_id to, kind what);
  std::uint32_t take_owed(peer& p);
  void owe(pe_id to);
  void pay(const pe_id* first, const pe_id* last);
  void pay_all();
  void keep_watch(std::int64_t end_ns);

  // Constant after construction.
  engine& engine_;
  inbox& inbox_;
  const pe_id first_pe_;
  const node_map& numbers_;

  shared_end inner_;  // to the PEs of this node

  // Sending.
  std::vector<peer> peers_;   // by PE
  std::vector<pe_id> owing_;  // PEs that may be owed news of releases
  bool closing_ = false;

  // Receiving.
  bulk_order order_;   // by PE
  batch_queue ready_;  // arrived, for the next polls
  std::uint32_t vain_polls_ = 0;
  int polls_to_look_ = 1;  // until MPI is looked at again
  int vain_looks_ = 0;
  bool far_turn_ = false;
  backoff backoff_;
};

}  // namespace tsubu::transport::mpi
