// Time, sleep and random numbers of a placed program, as the C library has them (libc.h, threads.h): by the clock of
// its process, which a simulator brings, and from one sequence, at process 0.
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "tsubu/base/check.hpp"
#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/text.hpp"
#include "tsubu/eulash/thread.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/task/sleep.hpp"

namespace tsubu::placed {
namespace {

enum class sequence : unsigned char { rand, random, drand48, lrand48, mrand48 };

// A number of one of the library's sequences, all of which are at process 0. (A double is one of 48 bits.)
std::int64_t random_at_home(sequence of) {
  switch (of) {
    case sequence::rand:
      return std::rand();
    case sequence::random:
      return ::random();
    case sequence::drand48:
      return std::bit_cast<std::int64_t>(::drand48());
    case sequence::lrand48:
      return ::lrand48();
    case sequence::mrand48:
      return ::mrand48();
  }
  fail("there is no such sequence of random numbers");
}
void seed_at_home(sequence of, std::int64_t seed) {
  if (of == sequence::rand) return std::srand(static_cast<unsigned>(seed));
  if (of == sequence::random) return ::srandom(static_cast<unsigned>(seed));
  ::srand48(seed);
}
std::int64_t random_of(sequence of) {
  return views->me == 0 ? random_at_home(of) : wait_here(tsubu::at(0).now<&random_at_home>(sequence{of}));
}
void seed(sequence of, std::int64_t with) {
  if (views->me == 0) return seed_at_home(of, with);
  wait_here(tsubu::at(0).now<&seed_at_home>(sequence{of}, std::int64_t{with}));
}

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

int eulash_rand() { return static_cast<int>(random_of(sequence::rand)); }
void eulash_srand(unsigned with) { seed(sequence::rand, with); }
long eulash_random() { return random_of(sequence::random); }
void eulash_srandom(unsigned with) { seed(sequence::random, with); }
double eulash_drand48() { return std::bit_cast<double>(random_of(sequence::drand48)); }
long eulash_lrand48() { return random_of(sequence::lrand48); }
long eulash_mrand48() { return random_of(sequence::mrand48); }
void eulash_srand48(long with) { seed(sequence::drand48, with); }

}  // extern "C"
