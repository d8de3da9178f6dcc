#include "python/native/job.hpp"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "python/native/kept.hpp"
#include "python/native/ranks.hpp"

namespace tsubu::python {
namespace {

constexpr std::chrono::milliseconds look_every(50);

}  // namespace

job::job(const std::vector<std::string>& words)
    : pes_(ranks_are_used() ? pes_on_ranks(words) : pes_on_threads(words)),
      process_(::getpid()),
      count_(pes_->count()) {
  forget_arrays();
}

bool job::is_closed() {
  const std::lock_guard alone(alone_);
  return pes_ == nullptr || pes_->has_failed();
}

bool job::run(command& what, const std::function<bool()>& look) {
  const std::lock_guard turn(one_at_a_time_);
  if (pes_ == nullptr) throw no_job("the job is closed");
  if (process_ != ::getpid()) {
    throw no_job("this process is a child of the job's, process " + std::to_string(process_) +
                 ", and has none of its PEs: open a job of its own");
  }
  if (pes_->share_memory() && !pes_->has_failed() && what.run_small(most_small)) return false;
  std::vector<std::uint64_t> dropped;
  {
    const std::lock_guard alone(alone_);
    dropped.swap(dropped_);
  }
  pes_->start(what, std::move(dropped));
  bool cancelled = false;
  while (!pes_->wait_for(look_every)) {
    if (cancelled || !look()) continue;
    cancelled = true;
    what.cancel();
  }
  pes_->finish();
  return cancelled;
}

void job::drop_later(std::uint64_t id) {
  const std::lock_guard alone(alone_);
  dropped_.push_back(id);
}

void job::close() {
  const std::lock_guard turn(one_at_a_time_);
  std::unique_ptr<job_pes> ended;
  {
    const std::lock_guard alone(alone_);
    ended = std::move(pes_);
  }
}

}  // namespace tsubu::python
