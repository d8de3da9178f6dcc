// Who has accessed which bytes, and what orders accesses: finds data races, as vector clocks tell them (Fidge, Mattern;
// with the epochs of FastTrack, Flanagan and Freund 2009).
//
// A thread has a clock for each thread: what it knows of that one. Its own goes on whenever it lets go of something, a
// mutex, a barrier, a new thread, whose clock is then what all that get it know. An access of another thread whose time
// this one does not know is ordered by nothing: if either writes, and they share a byte, that is a race, whichever came
// first in this run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tsubu/eulash/memory.h"

namespace tsubu::placed {

class vector_clock {
 public:
  std::uint32_t of(std::uint32_t thread) const { return thread < at_.size() ? at_[thread] : 0; }
  void set(std::uint32_t thread, std::uint32_t time);
  void join(const vector_clock& other);

 private:
  std::vector<std::uint32_t> at_;
};

// Threads and objects are known by their numbers and addresses.
class race_watch {
 public:
  // An access that nothing orders with one that is made.
  struct race {
    std::uint64_t address;  // of a byte of both
    std::uint64_t thread;   // of the earlier one
    bool writes;
    const eulash_place* where;
  };

  // `creator`: 0 of main.
  void begin_thread(std::uint64_t number, std::uint64_t creator);
  void join_thread(std::uint64_t by, std::uint64_t ended);

  // What the thread has done is known to all that acquire the object later.
  void release(std::uint64_t by, std::uint64_t object);
  void acquire(std::uint64_t by, std::uint64_t object);
  // A read-write lock: those that read it are not ordered with each other. Who reads acquires it as any object.
  void acquire_to_write(std::uint64_t by, std::uint64_t lock);
  void release_lock(std::uint64_t by, std::uint64_t lock);
  // All that arrive know, when they leave, what all have done that arrived before the first of them left.
  void arrive(std::uint64_t by, std::uint64_t barrier);
  void leave(std::uint64_t by, std::uint64_t barrier);

  std::optional<race> access(std::uint64_t by, std::uint64_t address, std::uint64_t bytes, bool writes,
                             const eulash_place* where);
  // These bytes are other data now.
  void forget(std::uint64_t address, std::uint64_t bytes);
  // The same, from now on those of an allocation.
  void allocated(std::uint64_t address, std::uint64_t bytes, const eulash_site& site);
  struct allocation {
    std::uint64_t address = 0, bytes = 0;
    const eulash_site* site = nullptr;  // null: there is none
  };
  allocation allocation_at(std::uint64_t address) const;

 private:
  struct thread_state {
    std::uint32_t index = 0;
    vector_clock clock;
    std::unordered_map<std::uint64_t, std::shared_ptr<vector_clock>> arrived;  // by the barrier
  };
  struct object_state {
    vector_clock clock;                  // of who has released it
    vector_clock readers;                // of a lock: of who has, having read
    std::uint64_t writer = 0;            // who has it to write
    std::shared_ptr<vector_clock> open;  // of a barrier that nobody has left since the first of these arrived
  };
  struct seen_access {
    std::uint32_t thread, time;
    std::uint8_t bytes;  // of a word of 8
    bool writes;
    const eulash_place* where;
  };
  using word_history = std::vector<seen_access>;  // no access that a later one makes needless
  static constexpr std::uint64_t word_bytes = 8, page_words = 512;
  using page_history = std::array<word_history, page_words>;

  void tick(thread_state& t) { t.clock.set(t.index, t.clock.of(t.index) + 1); }
  const seen_access* look(word_history& of, const thread_state& t, const seen_access& now) const;

  std::unordered_map<std::uint64_t, thread_state> threads_;
  std::vector<std::uint64_t> numbers_;  // by index
  std::unordered_map<std::uint64_t, object_state> objects_;
  std::unordered_map<std::uint64_t, std::unique_ptr<page_history>> pages_;
  std::map<std::uint64_t, allocation> allocations_;
};

}  // namespace tsubu::placed
