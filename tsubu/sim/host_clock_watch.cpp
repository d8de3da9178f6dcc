#include "tsubu/sim/host_clock_watch.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include <sys/prctl.h>
#include <ucontext.h>

#include <csignal>
#include <cstddef>
#include <cstring>

#include "tsubu/base/signal_line.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::sim {
namespace {

struct sigaction handler_before;
bool installed = false, watching = false;

bool reads_counter(const unsigned char* code) {
  static constexpr unsigned char rdtsc[] = {0x0f, 0x31}, rdtscp[] = {0x0f, 0x01, 0xf9};
  return std::memcmp(code, rdtsc, sizeof rdtsc) == 0 || std::memcmp(code, rdtscp, sizeof rdtscp) == 0;
}

// Nothing here may allocate or lock: it is a signal's handler.
void trapped(int signal, siginfo_t* info, void* context) {
  const auto* const at =
      reinterpret_cast<const unsigned char*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  // The kernel sends it (SI_KERNEL) with no address for an instruction that is not allowed. Only then can `at` be read.
  if (info->si_code != SI_KERNEL || !reads_counter(at)) {
    ::sigaction(SIGSEGV, &handler_before, nullptr);
    if (info->si_code <= 0) ::raise(signal);  // somebody sent it; else the instruction does it again
    return;
  }
  ::prctl(PR_SET_TSC, PR_TSC_ENABLE);
  if (!watching) return;
  signal_line said;
  said << "tsubu: ";
  if (remote::current_pe != nullptr) said << "PE " << remote::current_pe->number() << " of ";
  said << "a simulated job reads this computer's clock: its runs will differ; tsubu::now_ns() is the job's own time\n";
  said.print();
}

}  // namespace

host_clock_watch::host_clock_watch() {
  struct sigaction ours = {};
  ours.sa_sigaction = trapped;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&ours.sa_mask);
  if (!installed) ::sigaction(SIGSEGV, &ours, &handler_before);
  installed = watching = true;
  ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
}

// Threads that were started meanwhile still trap: the handler stays for them.
host_clock_watch::~host_clock_watch() {
  watching = false;
  ::prctl(PR_SET_TSC, PR_TSC_ENABLE);
}

}  // namespace tsubu::sim

#else

namespace tsubu::sim {

host_clock_watch::host_clock_watch() = default;
host_clock_watch::~host_clock_watch() = default;

}  // namespace tsubu::sim

#endif
