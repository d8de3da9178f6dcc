#include <utility>

#include "python/native/job.hpp"
#include "python/native/job_pes.hpp"
#include "python/native/kept.hpp"
#include "tsubu/run/thread_session.hpp"

namespace tsubu::python {
namespace {

// A command, and what of earlier ones is not wanted any more.
struct asked {
  command* what = nullptr;
  std::vector<std::uint64_t> dropped;
};

task<void> run_on_pe(void* argument) {
  const asked& request = *static_cast<const asked*>(argument);
  for (const std::uint64_t id : request.dropped) co_await drop_here(id);
  co_await request.what->run_here();
}

class thread_pes final : public job_pes {
 public:
  explicit thread_pes(const std::vector<std::string>& words) : session_(words), count_(session_.pes()) {}

  pe_id count() const override { return count_; }
  bool has_failed() const override { return session_.has_failed(); }
  bool share_memory() const override { return true; }
  void start(command& what, std::vector<std::uint64_t> dropped) override {
    request_ = {&what, std::move(dropped)};
    session_.start(run_on_pe, &request_);
  }
  bool wait_for(std::chrono::milliseconds most) override { return session_.wait_for(most); }
  void finish() override { session_.finish(); }

 private:
  run_detail::thread_session session_;
  const pe_id count_;
  asked request_;
};

}  // namespace

std::unique_ptr<job_pes> pes_on_threads(const std::vector<std::string>& words) {
  return std::make_unique<thread_pes>(words);
}

}  // namespace tsubu::python
