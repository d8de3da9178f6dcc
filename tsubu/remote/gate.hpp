// A way into a PE for threads that are none: a job's messages, promises and objects belong to its PEs, and what a
// thread of another library has to say goes through a gate.
//
//   gate in;                                      // on a PE, in a job
//   promise<int> result;
//   future<int> later = result.get_future();
//   std::thread other([in, result = std::move(result)]() mutable {
//     in.post([r = std::move(result)] { r.set_value(42); });   // runs on the gate's PE
//   });
//   int n = co_await later;
//
// A gate is copied as a pointer is. The job does not end, and quiescence() does not return, while there is a copy:
// more may come in. A PE with nothing else to do sleeps until something does.
//
// Where PEs are simulated there are no other threads, and to make a gate ends the job.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "tsubu/remote/pe.hpp"

namespace tsubu {
namespace remote {

// What has been posted to one gate, by any thread, and waits for its PE.
class gate_queue final : public outside_source {
 public:
  struct item {
    virtual ~item() = default;
    virtual void run() = 0;
    item* next = nullptr;
  };

  explicit gate_queue(pe& of) : pe_(of) {}
  gate_queue(const gate_queue&) = delete;
  gate_queue& operator=(const gate_queue&) = delete;
  ~gate_queue() override;

  // By any thread that holds the gate.
  void hold() { holders_.fetch_add(1, std::memory_order_relaxed); }
  void let_go();
  void post(std::unique_ptr<item> posted);

  // By the PE. Runs some of what was posted; false if nothing was.
  bool take_in() override;
  bool ended() override;

 private:
  // A thread that posts more than the PE runs is held up when so many wait.
  static constexpr std::uint32_t most_waiting = 65'536;
  static constexpr int most_at_a_time = 1024;

  pe& pe_;
  std::mutex at_the_end_;  // the PE stays until the last holder has rung
  std::atomic<int> holders_{0};
  std::atomic<std::uint32_t> waiting_{0};
  std::atomic<item*> posted_{nullptr};  // the last first
  item* taken_ = nullptr;               // the first first; the PE's
};

template <class F>
struct gate_item final : gate_queue::item {
  explicit gate_item(F posted) : f(std::move(posted)) {}
  void run() override { f(); }
  F f;
};

}  // namespace remote

class gate {
 public:
  // To this PE.
  gate();
  gate(const gate& other) : queue_(other.queue_) { queue_->hold(); }
  gate(gate&& other) noexcept : queue_(std::move(other.queue_)) {}
  gate& operator=(gate other) noexcept {
    std::swap(queue_, other.queue_);
    return *this;
  }
  ~gate() {
    if (queue_ != nullptr) queue_->let_go();
  }

  // By any thread: calls f() on the gate's PE, soon, in the order of the thread's posts. There it may do what a handler
  // may: send, set a promise, spawn a task; what it throws ends the job. f is moved there, and destroyed there. A
  // thread that is no PE is held up while 65,536 wait to be run.
  template <class F>
    requires std::is_invocable_r_v<void, F&>
  void post(F f) const {
    queue_->post(std::make_unique<remote::gate_item<F>>(std::move(f)));
  }

 private:
  std::shared_ptr<remote::gate_queue> queue_;  // null when moved from
};

}  // namespace tsubu
