// Signals that the program takes over:
//
//   outside::signals asked({SIGTERM, SIGINT});
//   const int which = co_await asked.next();
//
// From the constructor on they end the job no more, in the whole process; when the last `signals` of a number has gone,
// it does again what it did before. Each PE of the process that has asked for a number is told. What comes while nobody
// waits is kept for the next next().
//
// A launcher of MPI has its own use for some: mpirun passes SIGUSR1 and SIGUSR2 on to the ranks, and ends the job at
// SIGTERM and SIGINT, whatever its ranks do with theirs.
#pragma once

#include <coroutine>
#include <initializer_list>
#include <memory>
#include <source_location>

#include "tsubu/outside/error.hpp"
#include "tsubu/task/context.hpp"

namespace tsubu::outside {

namespace detail {

class signal_state;

class [[nodiscard]] signal_awaiter {
 public:
  explicit signal_awaiter(std::shared_ptr<signal_state> of);
  signal_awaiter(const signal_awaiter&) = delete;
  signal_awaiter& operator=(const signal_awaiter&) = delete;
  ~signal_awaiter();
  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where);
  int await_resume();

 private:
  std::shared_ptr<signal_state> of_;
  wait_record record_;
};

}  // namespace detail

// Move-only. Belongs to the PE that made it.
// Local; next() blocks until a signal has come; throws error for what cannot be asked for.
class signals {
 public:
  // Local. Throws error for what cannot be asked for, as SIGKILL.
  explicit signals(std::initializer_list<int> numbers);
  signals(signals&&) noexcept = default;
  signals& operator=(signals&& other) noexcept;
  ~signals() { close(); }

  // `co_await s.next()`: the number of the next one; 0 when this was closed. The job goes on while a task waits here,
  // so a program that has done its work closes what such a task waits for. One task at a time.
  detail::signal_awaiter next() const;

  // Gives the signals back. Whoever waits is woken.
  void close();

 private:
  std::shared_ptr<detail::signal_state> state_;
};

}  // namespace tsubu::outside
