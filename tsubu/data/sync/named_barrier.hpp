// A barrier for a stated number of arrivals, of any tasks on any PEs; again and again.
//
//   named_barrier b = create_barrier(12);   // its home is this PE; the name is one word, and travels
//   co_await b.arrive_and_wait();           // goes on when 12 have arrived
//   b.arrive();                             // counts as one, and does not wait
//
// The one that comes after the last is the first of the next round. Whoever arrives sends a message to the home, which
// answers each that waits: for all PEs of a job, once each, barrier() is cheaper, since it goes up and down a tree
// (tsubu/remote/collectives/collectives.hpp). A last arrival on the home does not wait.
//
// What a task has awaited before it arrives is in place for who goes on after it; past messages are not waited for.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <source_location>
#include <utility>

#include "tsubu/data/sync/sync_wait.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu {

namespace data {

// It arrives when it is awaited.
class [[nodiscard]] barrier_request final : remote::value_sink<void> {
 public:
  explicit barrier_request(key name) : of_{sync_kind::barrier, name}, cell_(arrivals_text, &of_) {}
  barrier_request(const barrier_request&) = delete;
  barrier_request& operator=(const barrier_request&) = delete;
  ~barrier_request();

  bool await_ready();
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);
  void await_resume() {
    if (slot_.has_value()) cell_.await_resume();
  }

 private:
  void value(remote::done) override { cell_.set_value(); }
  void error(std::exception_ptr e) override { cell_.set_exception(std::move(e)); }

  const sync_wait of_;
  oneshot<void> cell_;
  std::optional<remote::reply_address> slot_;  // if it waits
};

}  // namespace data

// Local; arrive_and_wait() blocks until all have arrived, arrive() does not; one that has ended ends the job.
class named_barrier {
 public:
  named_barrier() = default;
  explicit named_barrier(data::key name) : name_(name) {}

  // Awaited.
  auto arrive_and_wait() const { return data::barrier_request(name_); }
  // Past.
  void arrive() const;
  // Past. Ends the job if some have arrived then, and not all; who arrives later finds that it has ended, which ends
  // the job, too.
  void end() const;

  // One word that names it in the whole job.
  data::key name() const { return name_; }
  bool operator==(const named_barrier&) const = default;

 private:
  data::key name_;
};

// A barrier whose home is this PE; arrivals > 0.
// Local; does not block; ends the job where arrivals is 0.
named_barrier create_barrier(std::uint32_t arrivals);

}  // namespace tsubu
