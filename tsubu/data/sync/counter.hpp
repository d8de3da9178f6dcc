// A counter that is read, written, and decremented until it is zero: a word of ATTEMPT-0's synchronizer, where too a
// zero is seen without the bus.
//
//   shared_counter left = create_counter(n);     // its home is this PE; the name is one word, and travels
//   while (const long k = co_await left.fetch_decrement()) work_on(k - 1);   // each of 0 to n - 1 is done once
//   co_await left.until_zero();
//   co_await left.write(n);
//
// Linearizable. On its home nothing takes a message or waits, but until_zero(), and a write while other PEs keep a
// zero. From elsewhere each is a question and its answer; but a PE that has seen a zero keeps it, and read(),
// fetch_decrement() and until_zero() of a zero take no message there, until somebody writes another value: which takes
// a message to each PE that keeps a zero, and back.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "tsubu/data/sync/counter_operation.hpp"
#include "tsubu/data/sync/sync_wait.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu {

namespace data {

// It begins when it is awaited.
class counter_request : remote::value_sink<long> {
 public:
  counter_request(key name, counter_operation what, long argument = 0)
      : of_{sync_kind::counter, name},
        what_(what),
        argument_(argument),
        cell_(what == counter_operation::until_zero ? zero_text : counter_text, &of_) {}
  counter_request(const counter_request&) = delete;
  counter_request& operator=(const counter_request&) = delete;

  bool await_ready();
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);

 protected:
  ~counter_request();
  long result() { return result_.has_value() ? *result_ : cell_.await_resume(); }

 private:
  void value(long v) override { cell_.set_value(v); }
  void error(std::exception_ptr e) override { cell_.set_exception(std::move(e)); }

  const sync_wait of_;
  const counter_operation what_;
  const long argument_;
  std::optional<long> result_;  // without a wait
  oneshot<long> cell_;          // or from a message
  std::optional<remote::reply_address> slot_;
};

class [[nodiscard]] counter_value final : public counter_request {
 public:
  using counter_request::counter_request;
  long await_resume() { return result(); }
};
class [[nodiscard]] counter_done final : public counter_request {
 public:
  using counter_request::counter_request;
  void await_resume() { (void)result(); }
};

}  // namespace data

// Local; what is awaited blocks until the home has answered, and until_zero() until it is zero; one that has ended
// ends the job.
class shared_counter {
 public:
  shared_counter() = default;
  explicit shared_counter(data::key name) : name_(name) {}

  // All awaited.
  auto read() const { return data::counter_value(name_, data::counter_operation::read); }
  // The value before; a zero stays zero.
  auto fetch_decrement() const { return data::counter_value(name_, data::counter_operation::fetch_decrement); }
  // n >= 0.
  auto write(long n) const { return data::counter_done(name_, data::counter_operation::write, n); }
  // Waits until it is zero. It may have been written again when the task goes on.
  auto until_zero() const { return data::counter_done(name_, data::counter_operation::until_zero); }

  // Past. Ends the job if tasks wait for it then; who uses it later finds that it has ended, which ends the job, too.
  void end() const;

  // One word that names it in the whole job.
  data::key name() const { return name_; }
  bool operator==(const shared_counter&) const = default;

 private:
  data::key name_;
};

// A counter whose home is this PE; n >= 0.
// Local; does not block; ends the job where n is negative.
shared_counter create_counter(long n);

}  // namespace tsubu
