// The PEs of a job of Python's, wherever they are: one command after the other, on all of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::python {

class command;

class job_pes {
 public:
  job_pes() = default;
  job_pes(const job_pes&) = delete;
  job_pes& operator=(const job_pes&) = delete;
  // Gives back all that they have.
  virtual ~job_pes() = default;

  virtual pe_id count() const = 0;
  // Whether nothing can be run any more.
  virtual bool has_failed() const = 0;
  // Whether they work at memory of this process, where the caller reaches it, too.
  virtual bool share_memory() const = 0;

  // Gives back what has those numbers, then runs the command on every PE. It stays until it is finished. Throws
  // run_detail::session_failed.
  virtual void start(command& what, std::vector<std::uint64_t> dropped) = 0;
  // Whether it is over everywhere.
  virtual bool wait_for(std::chrono::milliseconds most) = 0;
  // Waits for that. Throws what the command has thrown, and run_detail::session_failed.
  virtual void finish() = 0;
};

// On threads of this process. `words` are Tsubu's options; throws run_detail::session_failed.
std::unique_ptr<job_pes> pes_on_threads(const std::vector<std::string>& words);
// On the ranks that mpirun has started, of which this is the first: ranks.hpp. Throws run_detail::session_failed.
std::unique_ptr<job_pes> pes_on_ranks(const std::vector<std::string>& words);

}  // namespace tsubu::python
