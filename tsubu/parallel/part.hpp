// What one PE has of a pool of work: what waits there, what runs, and what came out.
//
// A part is made by what it is sent, and lasts until it has run out of work; a pool may have a part on a PE many times,
// one after the other. Its runner is a task in the pool's epoch, as are the tasks that it starts: so the epoch ends
// when no PE has a part any more and nothing is under way (docs/epochs.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>

#include "tsubu/object/balance.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::parallel {

// Travels as its bytes.
struct pool_name {
  pe_id opener;
  std::uint32_t number;  // of those that PE opened
};

class part : private objects::work_source, private detail::completion {
 public:
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  virtual ~part();

  // That of the pool on this PE; null if there is none now. Ends the job if it is one of another kind.
  static part* find(pool_name name, const void* kind);
  // That PE has sent work: it counts as one that has something again.
  static void work_came_from(pe_id from);
  // Starts its runner, in the epoch of the code that runs.
  static void start(std::unique_ptr<part> owned);

  const pool_name& name() const { return name_; }
  task_group* epoch() const { return epoch_; }
  // Something was added.
  void added() {
    if (runner_) [[unlikely]]
      wake_for_more();
  }
  // What was run has thrown: what waits here is dropped, and the pool's opener is told.
  void failed(std::exception_ptr error);

 protected:
  // kind: the address of something that only parts of this type have.
  part(pool_name name, const void* kind);

  // Runs it beside others, so that they wait at the same time.
  void run_beside(task<void> work);

  // ---- the kind's own
  virtual bool any_waits() const = 0;
  virtual bool called_off() const = 0;  // nobody wants the rest
  virtual void begin_turn() = 0;
  // Runs the next, and up to so many; only if any waits. Gives how many it were. Tasks are started one at a time.
  virtual int run_some(int most) = 0;
  // Sends what is its share to a PE, and gives the number of pieces.
  virtual std::size_t send_share(pe_id to, std::size_t among) = 0;
  virtual void drop() = 0;
  virtual void leave_result() = 0;  // with what this PE has of the pool's results

 private:
  // Tasks of a part that are under way at a time.
  static constexpr int most_beside = 64;
  // Runs of a slice at most, where the clock stands still: simulated PEs that were not told what the work takes.
  static constexpr int most_in_slice = 1024;
  static constexpr int most_between_looks = 64;

  class stopped;  // awaited by the runner where it has nothing to start

  static task<void> run(std::unique_ptr<part> owned);
  bool may_start() const { return any_waits() && beside_ < most_beside; }
  void run_slice();
  void wake();
  void wake_for_more();

  // work_source
  bool has_work() const override { return any_waits(); }
  std::size_t give(pe_id to, std::size_t among) override;

  static void one_ended(detail::completion& self) noexcept;
  static void one_failed(detail::completion& self, std::exception_ptr error) noexcept;

  pool_name name_;
  const void* kind_;
  task_group* epoch_;
  int beside_ = 0;
  ready_item runner_;  // while it is stopped
};

}  // namespace tsubu::parallel
