// Where the messages of a rank whose PEs share memory, with each other or with those of other ranks, come from and go
// back to.
//
// Receives, and messages of the engine's own, use a pool of the rank. A PE's batch is sent from where it lies, in that
// PE's own memory; when it has left, it goes back there. It is the PE's `from` that says whose a message is: no_pe is
// the pool's.
#pragma once

#include <cstddef>
#include <vector>

#include "tsubu/transport/mpi/batch_pool.hpp"
#include "tsubu/transport/mpi/inbox.hpp"
#include "tsubu/transport/shared/end.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

// Used with the engine's lock.
class rank_batches {
 public:
  rank_batches(std::size_t batch_bytes, std::vector<inbox>& inboxes) : pool_(batch_bytes), inboxes_(inboxes) {}

  // A batch of the pool, for a receive or a message without data.
  batch* take() {
    batch* b = pool_.take();
    b->from = no_pe;
    b->bulk_bytes = 0;
    return b;
  }

  // A message has left, or a receive was not needed.
  void put(batch* b) {
    if (b->from == no_pe) {
      pool_.put(b);
      return;
    }
    shared_end* maker = inboxes_[static_cast<std::size_t>(b->from) % inboxes_.size()].end;
    maker->batches().mark(b);
    b->bulk_bytes = 0;
    if (maker == mover_) {
      maker->batches().put(b);
    } else {
      maker->batches().put_from_any_thread(b);
    }
  }

  // An arrived batch is done with. Its `from` is the sender.
  void put_arrived(batch* b) { pool_.put(b); }

  // The PE that has the lock: what is its own goes back without an atomic operation.
  void set_mover(shared_end* mover) { mover_ = mover; }
  bool is_mover(const shared_end* end) const { return end == mover_; }

  std::size_t bytes_in_use() const { return pool_.bytes_in_use(); }
  std::size_t bytes_allocated() const { return pool_.bytes_allocated(); }

 private:
  batch_pool pool_;
  std::vector<inbox>& inboxes_;  // by number in the rank
  shared_end* mover_ = nullptr;
};

}  // namespace tsubu::transport::mpi
