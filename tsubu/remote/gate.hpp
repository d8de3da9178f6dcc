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

#include <memory>
#include <type_traits>
#include <utility>

namespace tsubu {
namespace remote {

// What has been posted to one gate and waits for its PE.
class gate_queue;

struct gate_item {
  virtual ~gate_item() = default;
  virtual void run() = 0;
  gate_item* next = nullptr;
};

template <class F>
struct posted_function final : gate_item {
  explicit posted_function(F posted) : f(std::move(posted)) {}
  void run() override { f(); }
  F f;
};

}  // namespace remote

// Local; post(), which any thread calls, holds up one that is no PE while 65,536 wait, and does not block else; to make
// a gate outside a job, or where PEs are simulated, ends the job.
class gate {
 public:
  // To this PE.
  gate();
  gate(const gate& other);
  gate(gate&& other) noexcept : queue_(std::move(other.queue_)) {}
  gate& operator=(gate other) noexcept {
    std::swap(queue_, other.queue_);
    return *this;
  }
  ~gate();

  // By any thread: calls f() on the gate's PE, soon, in the order of the thread's posts. There it may do what a handler
  // may: send, set a promise, spawn a task; what it throws ends the job. f is moved there, and destroyed there. A
  // thread that is no PE is held up while 65,536 wait to be run.
  template <class F>
    requires std::is_invocable_r_v<void, F&>
  void post(F f) const {
    post_item(std::make_unique<remote::posted_function<F>>(std::move(f)));
  }

 private:
  void post_item(std::unique_ptr<remote::gate_item> item) const;

  std::shared_ptr<remote::gate_queue> queue_;  // null when moved from
};

}  // namespace tsubu
