#include "tsubu/run/presence.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/run/early_end.hpp"
#include "tsubu/run/forked.hpp"

namespace tsubu::run_detail {
namespace {

constinit std::atomic<int> present{0};
constinit std::atomic<bool> ending{false};
constinit std::atomic<pid_t> process{0};  // a child that the program has forked may exit as it likes
constinit thread_local pe_id own_number = no_pe;

void end_half_run_job(const std::string& call, int code) {
  if (process.load() != ::getpid()) return;
  if (present.load() == 0 && !ending.load()) return;
  if (ending.exchange(true)) {
    for (;;) ::pause();  // another thread is ending this process, with the code that is right
  }
  const pe_id pe = own_pe();
  if (pe == no_pe) end_other_ranks_too();  // such a thread cannot ask the PE's transport to end the job
  end_job(code == 0 ? exit_code::failed : code,
          "tsubu: " + (pe != no_pe ? "PE " + std::to_string(pe) : std::string("a thread that is no PE")) +
              " leaves by " + call + " before the job has ended");
}

// Handlers are called in the order of their registration backwards: what the program has registered since it began
// comes first. Each is called once: threads that exit at the same time need one each, or the last would not be stopped.
void watch_exits(int threads) {
  static std::mutex alone;
  static int watched = 0;
  const std::lock_guard lock(alone);
  for (; watched < threads; ++watched) {
    ::on_exit([](int code, void*) { end_half_run_job("exit(" + std::to_string(code) + ")", code); }, nullptr);
    std::at_quick_exit([] { end_half_run_job("quick_exit()", 0); });
  }
}

}  // namespace

presence::presence(pe_id pe) {
  process = ::getpid();
  own_number = pe;
  watch_forks();
  watch_exits(2 * ++present);  // each PE may have a thread beside it that exits
}

presence::~presence() {
  own_number = no_pe;
  --present;
}

pe_id own_pe() { return remote::current_pe != nullptr ? remote::current_pe->number() : own_number; }

void expect_exit() { ending = true; }

}  // namespace tsubu::run_detail
