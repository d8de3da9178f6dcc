// What acquires a lock, and what has it then.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <source_location>
#include <utility>

#include "tsubu/data/sync/lock_record.hpp"
#include "tsubu/task/oneshot.hpp"

namespace tsubu {

// While it lives, its task holds the lock. Belongs to the PE that acquired it; move-only. When a job has ended, what is
// held then is nobody's.
// Local; does not block; release() ends the job if nothing is held.
class [[nodiscard]] held_lock {
 public:
  held_lock() = default;
  held_lock(held_lock&& other) noexcept
      : name_(other.name_), kind_(other.kind_), ticket_(std::exchange(other.ticket_, data::no_ticket)) {}
  held_lock& operator=(held_lock&& other) noexcept {
    if (this != &other) {
      release_at_end();
      name_ = other.name_;
      kind_ = other.kind_;
      ticket_ = std::exchange(other.ticket_, data::no_ticket);
    }
    return *this;
  }
  ~held_lock() { release_at_end(); }

  // Is the lock held by this?
  explicit operator bool() const { return ticket_ != data::no_ticket; }

  // Before its end; once. Past: it does not wait. Ends the job if nothing is held.
  void release(std::source_location where = std::source_location::current());

  // ---- the runtime's
  held_lock(data::key name, data::sync_kind kind, data::lock_ticket ticket)
      : name_(name), kind_(kind), ticket_(ticket) {}

 private:
  void release_at_end() noexcept {
    if (ticket_ != data::no_ticket) release_held();
  }
  void release_held() noexcept;

  data::key name_;
  data::sync_kind kind_ = data::sync_kind::lock;
  data::lock_ticket ticket_ = data::no_ticket;
};

namespace data {

// `co_await l.acquire()`. It begins when it is awaited. On the home, if the lock is free, it has it at once; else it
// waits for the ticket that the home sends.
class [[nodiscard]] lock_request final : remote::value_sink<lock_ticket> {
 public:
  lock_request(sync_kind kind, key name, lock_mode mode, std::source_location where)
      : of_{kind, name}, mode_(mode), where_(where), cell_(turn_text, &of_) {}
  lock_request(const lock_request&) = delete;
  lock_request& operator=(const lock_request&) = delete;
  ~lock_request();

  bool await_ready();
  void await_suspend(std::coroutine_handle<> task) { suspend(task, where_); }
  void suspend(ready_item who, std::source_location);
  held_lock await_resume() {
    if (ticket_ == no_ticket) ticket_ = cell_.await_resume();
    slot_.reset();
    return {of_.name, of_.kind, std::exchange(ticket_, no_ticket)};
  }

 private:
  void value(lock_ticket granted) override { cell_.set_value(granted); }
  void error(std::exception_ptr e) override { cell_.set_exception(std::move(e)); }

  const sync_wait of_;
  const lock_mode mode_;
  const std::source_location where_;
  lock_ticket ticket_ = no_ticket;             // from the home itself
  oneshot<lock_ticket> cell_;                  // or from a message
  std::optional<remote::reply_address> slot_;  // where that comes
};

}  // namespace data
}  // namespace tsubu
