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

#include <initializer_list>
#include <memory>

#include "tsubu/outside/awaiter.hpp"
#include "tsubu/outside/error.hpp"

namespace tsubu::outside {

namespace detail {

class signal_state;
using signal_awaiter = awaiter<signal_state, int>;

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
