// Time, sleep and random numbers of a placed program, as the C library has them (libc.h, threads.h): by the clock of
// its process, which a simulator brings, and from one sequence, at process 0.
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/text.hpp"
#include "tsubu/eulash/thread.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/task/sleep.hpp"

namespace tsubu::placed {
namespace {

int random_at_home() { return std::rand(); }
void seed_at_home(unsigned seed) { std::srand(seed); }

void sleep_here(std::chrono::nanoseconds time) { wait_here(sleep_for(time)); }

// A simulated job begins at the epoch.
timespec time_of(clockid_t clock) {
  timespec now{};
  if (simulated == nullptr) {
    ::clock_gettime(clock, &now);
  } else {
    const std::int64_t ns = this_task_context->now();
    now = {ns / 1'000'000'000, ns % 1'000'000'000};
  }
  return now;
}

}  // namespace
}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" {

unsigned eulash_sleep(unsigned seconds) {
  sleep_here(std::chrono::seconds(seconds));
  return 0;
}
int eulash_usleep(unsigned microseconds) {
  sleep_here(std::chrono::microseconds(microseconds));
  return 0;
}
int eulash_nanosleep(const timespec* time, timespec* left) {
  timespec wanted;
  std::memcpy(&wanted, private_range(time, sizeof wanted).data(), sizeof wanted);
  if (wanted.tv_sec < 0 || wanted.tv_nsec < 0 || wanted.tv_nsec > 999'999'999) {
    errno = EINVAL;
    return -1;
  }
  sleep_here(std::chrono::seconds(wanted.tv_sec) + std::chrono::nanoseconds(wanted.tv_nsec));
  const timespec none{};
  if (left != nullptr) eulash_store(left, &none, sizeof none);
  return 0;
}

time_t eulash_time(time_t* t) {
  const time_t now = time_of(CLOCK_REALTIME).tv_sec;
  if (t != nullptr) eulash_store(t, &now, sizeof now);
  return now;
}
int eulash_gettimeofday(timeval* to, void*) {
  const timespec now = time_of(CLOCK_REALTIME);
  const timeval told{now.tv_sec, now.tv_nsec / 1000};
  eulash_store(to, &told, sizeof told);
  return 0;
}
int eulash_clock_gettime(clockid_t clock, timespec* to) {
  const timespec now = time_of(clock);
  eulash_store(to, &now, sizeof now);
  return 0;
}
clock_t eulash_clock() {
  const timespec now = time_of(CLOCK_PROCESS_CPUTIME_ID);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

int eulash_rand() { return views->me == 0 ? random_at_home() : wait_here(tsubu::at(0).now<&random_at_home>()); }
void eulash_srand(unsigned seed) {
  if (views->me == 0) return seed_at_home(seed);
  wait_here(tsubu::at(0).now<&seed_at_home>(unsigned{seed}));
}

}  // extern "C"
