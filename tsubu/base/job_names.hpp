// Where the names of a job begin: behind those of the jobs that this process has run before, so that a name that a
// program has kept from one of these finds nobody, and not what happens to have its number now.
//
// Names have generations already, for what ends within a job. A table begins with first() and says in the end how far
// it came; run() lets that take effect before it begins the next job. Nothing is added to a name, nor to what is done
// to find it.
#pragma once

#include <atomic>
#include <cstdint>

namespace tsubu::detail {

// The generations of one kind of names. Static: there is one for all PEs of the process.
class job_names {
 public:
  // Names below `compact` are to be preferred, and the generation behind `modulo` - 1 is 0.
  job_names(std::uint32_t compact, std::uint32_t modulo);
  job_names(const job_names&) = delete;
  job_names& operator=(const job_names&) = delete;

  // The first generation of this job. Constant while it runs.
  std::uint32_t first() const { return first_.load(std::memory_order_relaxed); }
  // All generations of a table are below `behind`, counted on from first(). Of any thread.
  void used(std::uint32_t behind);

  // Jobs that this process has begun before this one; the same on all PEs.
  static std::uint32_t jobs_before();
  // Before a job begins; there is none now.
  static void next_job();

  // What is said of a call that needs a job and has none.
  enum class moment { before_the_first, during, after };
  static moment now();

 private:
  void go_on();

  const std::uint32_t compact_, modulo_;
  std::atomic<std::uint32_t> first_ = 0;
  std::atomic<std::uint32_t> behind_ = 0;
  job_names* next_;  // of all there are
};

// From here on a job begins and runs, until this goes.
class running_job {
 public:
  running_job();
  running_job(const running_job&) = delete;
  running_job& operator=(const running_job&) = delete;
  ~running_job();
};

}  // namespace tsubu::detail
