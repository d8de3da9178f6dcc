// A lock that readers share: one task has it alone, or any number share it.
//
//   rw_lock l = create_rw_lock();
//   auto held = co_await l.acquire_shared();   // to read
//   auto held = co_await l.acquire();          // to write
//
// As a lock (lock.hpp) but for whose turn it is. Writers get it in the order in which they came. Readers get in at once
// unless a writer has it or waits; those that wait get in together when the writer has left, before the next
// one. So neither starves: a writer waits for the readers of one turn between it and the writer before it, and a reader
// for one writer.
//
// A task that shares it and wants it alone releases it first.
#pragma once

#include <source_location>

#include "tsubu/data/sync/lock_request.hpp"

namespace tsubu {

// Local; acquire() and acquire_shared() block until the lock is held; one that has ended ends the job.
class rw_lock {
 public:
  rw_lock() = default;
  explicit rw_lock(data::key name) : name_(name) {}

  // Awaited: a held_lock.
  auto acquire(std::source_location where = std::source_location::current()) const {
    return data::lock_request(data::sync_kind::rw_lock, name_, data::lock_mode::exclusive, where);
  }
  // Awaited: a held_lock, beside others that share it.
  auto acquire_shared(std::source_location where = std::source_location::current()) const {
    return data::lock_request(data::sync_kind::rw_lock, name_, data::lock_mode::shared, where);
  }
  // Past. Ends the job if it is held then; who acquires it later finds that it has ended, which ends the job, too.
  void end() const;

  // One word that names it in the whole job.
  data::key name() const { return name_; }
  bool operator==(const rw_lock&) const = default;

 private:
  data::key name_;
};

// A lock whose home is this PE.
// Local; does not block; throws nothing.
rw_lock create_rw_lock();

}  // namespace tsubu
