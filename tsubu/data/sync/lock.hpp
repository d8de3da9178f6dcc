// A lock: one task at a time has it, of all tasks on all PEs.
//
//   lock l = create_lock();              // its home is this PE; the name is one word, and travels
//   {
//     auto held = co_await l.acquire();  // a task that does not get it waits; its PE goes on
//     ...                                // it may wait while it holds the lock
//   }                                    // released; or before, by held.release()
//
// First come, first served, at the home. What a task has sent before it releases a lock is not ordered with what the
// next holder does on other PEs: await what must be in place. A task that acquires what it holds waits for ever; a
// deadlock report names the lock, its holder, and the lines.
//
// On its home, a free lock is acquired and released without a message. From elsewhere that is a question and its
// answer, and one message for the release.
#pragma once

#include <source_location>

#include "tsubu/data/sync/lock_request.hpp"

namespace tsubu {

// Local; acquire() blocks until the lock is held; one that has ended ends the job.
class lock {
 public:
  lock() = default;
  explicit lock(data::key name) : name_(name) {}

  // Awaited: a held_lock.
  auto acquire(std::source_location where = std::source_location::current()) const {
    return data::lock_request(data::sync_kind::lock, name_, data::lock_mode::exclusive, where);
  }
  // Past. Ends the job if it is held then; who acquires it later finds that it has ended, which ends the job, too. A
  // release is past as well, and may come after what a barrier() lets go: a quiescence() says that all have come.
  void end() const;

  // One word that names it in the whole job.
  data::key name() const { return name_; }
  bool operator==(const lock&) const = default;

 private:
  data::key name_;
};

// A lock whose home is this PE.
// Local; does not block; throws nothing.
lock create_lock();

}  // namespace tsubu
