#include "tsubu/run/presence.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/run/early_end.hpp"

namespace tsubu::run_detail {
namespace {

constinit std::atomic<int> present{0};
constinit std::atomic<pid_t> process{0};  // a child that the program has forked may exit as it likes

void end_half_run_job(const std::string& call, int code) {
  if (process.load() != ::getpid() || present.exchange(0) == 0) return;
  const remote::pe* const pe = remote::current_pe;
  if (pe == nullptr) end_other_ranks_too();  // such a thread cannot ask the PE's transport to end the job
  end_job(code == 0 ? exit_code::failed : code,
          "tsubu: " + (pe != nullptr ? "PE " + std::to_string(pe->number()) : std::string("a thread that is no PE")) +
              " leaves by " + call + " before the job has ended");
}

// In the order of their registration backwards: what the program has registered since it began comes first.
void watch_exit() {
  static const bool watched = [] {
    ::on_exit([](int code, void*) { end_half_run_job("exit(" + std::to_string(code) + ")", code); }, nullptr);
    std::at_quick_exit([] { end_half_run_job("quick_exit()", 0); });
    return true;
  }();
  static_cast<void>(watched);
}

}  // namespace

presence::presence() {
  watch_exit();
  process = ::getpid();
  ++present;
}

presence::~presence() { --present; }

void expect_exit() { present = 0; }

}  // namespace tsubu::run_detail
