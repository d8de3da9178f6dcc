// Programs with which `tsubu explore` has something to find: explored crash|hang|forever|unsteady|polls|clock.
#include <csignal>

#include <unistd.h>

#include "tests/programs/expect.hpp"
#include "tsubu/base/host_clock.hpp"

using namespace tsubu;

namespace {

pe_local<bool> told;
void tell() { *told = true; }

task<int> program(arguments args) {
  const std::string& how = args[1];
  if (how == "crash" && this_pe() == pe_count() - 1) ::raise(SIGSEGV);
  if (how == "hang") {
    for (volatile bool on = true; on;) continue;
  }
  while (how == "forever") co_await sleep_for(std::chrono::milliseconds(1));
  // What differs from process to process gets into its schedule.
  if (how == "unsteady") work(1e6 * ::getpid());
  if (how == "clock" && this_pe() == 2) host_ns();
  if (how == "polls") {  // ready at any time until the next PE's message is there
    at((this_pe() + 1) % pe_count()).past<tell>();
    while (!*told) co_await yield();
  }
  co_await barrier();
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
