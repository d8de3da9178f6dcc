#include "tsubu/transport/shared/parking.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tsubu::transport {

namespace {

bool registered_for(int command) { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

bool can_fence_all_threads(reach wakers) {
  if (wakers == reach::process) {
    static const bool of_process = registered_for(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    return of_process;
  }
  static const bool of_machine = registered_for(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED);
  return of_machine;
}

void fence_all_threads(reach wakers) {
  ::syscall(SYS_membarrier,
            wakers == reach::process ? MEMBARRIER_CMD_PRIVATE_EXPEDITED : MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

bool parking::wake_sleeper() {
  if (parked_.exchange(0, std::memory_order_relaxed) == 0) return false;
  futex_wake_one(parked_, wakers_);
  return true;
}

}  // namespace tsubu::transport
