// Keeps the order of each pair of PEs when bulks are among its batches.
//
// The bytes of a bulk move by themselves and take their time, and a bulk may land only when all that came before it
// from the same PE has been executed, for it may overwrite what those batches read. So a bulk waits for its place, and
// what comes behind it from the same PE waits with it.
//
// A pair that has a bulk waits for a place for it (and is in unplaced_), or its bytes move. Only then it holds batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsubu/transport/batch_queue.hpp"
#include "tsubu/transport/transport.hpp"

namespace tsubu::transport::mpi {

class bulk_order {
 public:
  explicit bulk_order(std::size_t pairs) : pairs_(pairs) {}

  // Whether what arrives now from that pair has to be held.
  bool holds(std::size_t pair) const { return with_bulk_ != 0 && pairs_[pair].bulk != nullptr; }

  // Whether `b` is the bulk that the pair waits for.
  bool waits_for(std::size_t pair, const batch* b) const { return pairs_[pair].bulk == b; }

  // How many bulks of the pair have arrived and not landed.
  std::uint32_t bulks(std::size_t pair) const { return pairs_[pair].bulks; }

  // Holds an arrived batch: a bulk's head, or one that comes behind it.
  void hold(std::size_t pair, batch* b) {
    if (b->is_bulk()) ++pairs_[pair].bulks;
    if (pairs_[pair].bulk == nullptr) {
      ++with_bulk_;
      is_next(pair, b);
    } else {
      pairs_[pair].held.push(b);
    }
  }

  bool has_unplaced() const { return !unplaced_.empty(); }

  // Calls place(head) for each bulk whose turn has come. All that was handed out before must have been executed. While
  // the bytes move, the head's `next` is the caller's.
  template <class Place>
  void place_all(Place place) {
    for (std::size_t pair : unplaced_) place(pairs_[pair].bulk);
    unplaced_.clear();
  }

  // The last byte of the pair's placed bulk is there: its head goes to `ready`, with what it has held up.
  void landed(std::size_t pair, batch_queue& ready) {
    pair_state& p = pairs_[pair];
    ready.push(p.bulk);
    p.bulk = nullptr;
    --p.bulks;
    while (batch* b = p.held.pop()) {
      if (b->is_bulk()) {
        is_next(pair, b);
        return;
      }
      ready.push(b);
    }
    --with_bulk_;
  }

 private:
  struct pair_state {
    batch* bulk = nullptr;
    batch_queue held;         // came behind it
    std::uint32_t bulks = 0;  // `bulk`, and those in `held`
  };

  void is_next(std::size_t pair, batch* head) {
    pairs_[pair].bulk = head;
    unplaced_.push_back(pair);
  }

  std::vector<pair_state> pairs_;
  std::vector<std::size_t> unplaced_;  // pairs whose bulk waits for a place
  std::size_t with_bulk_ = 0;          // pairs that have a bulk
};

}  // namespace tsubu::transport::mpi
