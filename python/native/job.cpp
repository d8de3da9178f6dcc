#include "python/native/job.hpp"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "python/native/kept.hpp"

namespace tsubu::python {
namespace {

constexpr std::chrono::milliseconds look_every(50);

// A command, and what of earlier ones is not wanted any more.
struct asked {
  command* what;
  std::vector<std::uint64_t> dropped;
};

task<void> run_on_pe(void* argument) {
  const asked& request = *static_cast<const asked*>(argument);
  for (const std::uint64_t id : request.dropped) co_await drop_here(id);
  co_await request.what->run_here();
}

}  // namespace

job::job(const std::vector<std::string>& words)
    : session_(std::make_unique<run_detail::thread_session>(words)), process_(::getpid()), pes_(session_->pes()) {
  forget_arrays();
}

bool job::is_closed() {
  const std::lock_guard alone(alone_);
  return session_ == nullptr || session_->has_failed();
}

bool job::run(command& what, const std::function<bool()>& look) {
  const std::lock_guard turn(one_at_a_time_);
  if (session_ == nullptr) throw no_job("the job is closed");
  if (process_ != ::getpid()) {
    throw no_job("this process is a child of the job's, process " + std::to_string(process_) +
                 ", and has none of its PEs: open a job of its own");
  }
  if (!session_->has_failed() && what.run_small(most_small)) return false;
  asked request{&what, {}};
  {
    const std::lock_guard alone(alone_);
    request.dropped.swap(dropped_);
  }
  session_->start(run_on_pe, &request);
  bool cancelled = false;
  while (!session_->wait_for(look_every)) {
    if (cancelled || !look()) continue;
    cancelled = true;
    what.cancel();
  }
  session_->finish();
  return cancelled;
}

void job::drop_later(std::uint64_t id) {
  const std::lock_guard alone(alone_);
  dropped_.push_back(id);
}

void job::close() {
  const std::lock_guard turn(one_at_a_time_);
  std::unique_ptr<run_detail::thread_session> ended;
  {
    const std::lock_guard alone(alone_);
    ended = std::move(session_);
  }
}

}  // namespace tsubu::python
