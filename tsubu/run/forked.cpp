#include "tsubu/run/forked.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/base/send_bound.hpp"
#include "tsubu/remote/outside_sources.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::run_detail {
namespace {

constinit std::atomic<bool> forked{false};

std::string who() { return "a child process (" + std::to_string(::getpid()) + ") that it has forked"; }

// It has failed, or thrown, and said what: the transport is not to hear of it.
void end_with_a_line(void*, int code) {
  const std::string line = "tsubu:   that was " + who() + ", which ends alone\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(code);
}

// Every send asks first for what goes before it, and so does each step of the PE that has executed something: here the
// child comes by, whatever it goes on with. Of PEs that take turns another one may be next.
class end_of_child final : public sent_first, public remote::outside_source {
 public:
  void send_all() override { end(); }
  bool take_in() override { end(); }
  bool ended() override { return false; }

 private:
  [[noreturn]] static void end() {
    const remote::pe* const here = remote::current_pe;
    const std::string pe = here != nullptr ? "PE " + std::to_string(here->number()) + ": " : "";
    set_job_ender({});
    end_job(exit_code::failed, "tsubu: " + pe + who() +
                                   " goes on as if it were the PE: it ends here. Let it call exec() or _exit() in what "
                                   "has forked it");
  }
};

void in_child() {
  forked = true;
  remote::pe* const here = remote::current_pe;
  if (here == nullptr) return;
  set_job_ender({here->number(), end_with_a_line, nullptr});
  const auto end = std::make_shared<end_of_child>();
  here->take_in_from(end);
  keep_as_first(*end);
}

}  // namespace

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] { require(::pthread_atfork(nullptr, nullptr, in_child) == 0, "forks cannot be watched"); });
}

bool is_forked_child() { return forked.load(); }

}  // namespace tsubu::run_detail
