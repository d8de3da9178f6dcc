#include "tsubu/transport/shared/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace tsubu::transport {

namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

int operation(int what, reach sharers) { return sharers == reach::process ? what | FUTEX_PRIVATE_FLAG : what; }

void wake(std::atomic<std::uint32_t>& word, int most, reach sharers) {
  ::syscall(SYS_futex, &word, operation(FUTEX_WAKE, sharers), most, nullptr, nullptr, 0);
}

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::microseconds at_most,
                reach sharers) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  const std::chrono::nanoseconds rest = at_most - seconds;
  const std::timespec limit{static_cast<std::time_t>(seconds.count()), static_cast<long>(rest.count())};
  ::syscall(SYS_futex, &word, operation(FUTEX_WAIT, sharers), expected, &limit, nullptr, 0);
}

void futex_wake_one(std::atomic<std::uint32_t>& word, reach sharers) { wake(word, 1, sharers); }
void futex_wake_all(std::atomic<std::uint32_t>& word, reach sharers) { wake(word, INT_MAX, sharers); }

}  // namespace tsubu::transport
