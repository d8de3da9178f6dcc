// A job of Python's: PEs on threads beside the interpreter, or on ranks of an MPI, which are asked for one thing after
// the other.
//
// What is asked for is a command. Its caller waits without the interpreter's lock, so other Python threads go on, and
// looks for signals meanwhile: ctrl-C cancels the command, whose PEs look at that between two pieces of their work, and
// is raised when they have come to its end. So the job can be used afterwards.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "python/native/job_pes.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::python {

// A job is asked for something and is closed, or is another process's.
class no_job : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How many elements a PE works at between two looks at whether that is still wanted.
inline constexpr std::size_t piece_elements = std::size_t{1} << 12;

class command {
 public:
  command() = default;
  command(const command&) = delete;
  command& operator=(const command&) = delete;
  virtual ~command() = default;

  // Runs on every PE, at the same time. Whatever it is cancelled in, every PE takes part in the same collectives.
  virtual task<void> run_here() = 0;
  // By PE 0, where PEs are other processes: has that one run the same, which reaches nothing of Python's memory.
  virtual void ask(pe_id pe) const = 0;
  // By the calling thread, while no PE runs: does the whole, if that is to look at no more than `most` elements. False:
  // the PEs are to do it.
  virtual bool run_small(std::size_t /*most*/) { return false; }

  bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
};

// Pieces of what a PE works at, until that is cancelled. f(begin, end) of each.
template <class F>
void in_pieces(const command& of, std::size_t begin, std::size_t end, F f) {
  for (std::size_t at = begin; at < end && !of.is_cancelled(); at += piece_elements)
    f(at, std::min(at + piece_elements, end));
}

class job {
 public:
  // `words` are Tsubu's options. On the ranks that mpirun has started, if there are several. Throws
  // run_detail::session_failed.
  explicit job(const std::vector<std::string>& words);

  pe_id pes() const { return count_; }
  // Up to so many elements a caller reads and writes by itself: in the time in which it would wake the PEs.
  std::size_t most_small = std::size_t{1} << 11;
  // Whether nothing can be asked of it any more.
  bool is_closed();

  // By a Python thread, which holds the interpreter's lock. While it waits, `look` is called again and again without
  // that lock; true: the command is cancelled. Throws no_job, run_detail::session_failed, what the command throws.
  // Returns whether it was cancelled.
  bool run(command& what, const std::function<bool()>& look);

  // Takes the place of those that a command has made; thread-safe, and done with the next command.
  void drop_later(std::uint64_t id);
  // The number of what is made next.
  std::uint64_t next_id() { return ++ids_; }

  // Waits for the command that runs, and gives back all that the PEs have. Once.
  void close();

 private:
  std::mutex one_at_a_time_;
  std::unique_ptr<job_pes> pes_;  // null: closed
  const int process_;
  const pe_id count_;
  std::atomic<std::uint64_t> ids_{0};

  std::mutex alone_;
  std::vector<std::uint64_t> dropped_;
};

}  // namespace tsubu::python
