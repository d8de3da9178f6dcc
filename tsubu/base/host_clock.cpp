#include "tsubu/base/host_clock.hpp"

#include <time.h>

#include <algorithm>

namespace tsubu {
namespace {

// Others that take a core keep it for longer than this; a look at the processor's time takes a small part of it.
constexpr std::int64_t suspicious_ns = 20'000;

std::int64_t read(clockid_t which) {
  struct timespec t{};
  ::clock_gettime(which, &t);  // not now_ns(): the job's own time is simulated
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

std::int64_t processor_ns() { return read(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

std::int64_t host_ns() { return read(CLOCK_MONOTONIC); }

host_clock::host_clock() {
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t before = host_ns();
    look_ns_ = std::min(look_ns_, host_ns() - before);
  }
  compare(host_ns(), processor_ns());
  begin();
}

void host_clock::compare(std::int64_t now, std::int64_t processor_now) {
  compared_ns_ = now;
  compared_processor_ns_ = processor_now;
}

void host_clock::begin() {
  const std::int64_t now = host_ns();
  if (now - begin_ns_ > suspicious_ns) compare(now, processor_ns());  // what was lost before is not this part's
  begin_ns_ = now;
}

std::int64_t host_clock::took() {
  const std::int64_t now = host_ns();
  std::int64_t ns = now - begin_ns_ - look_ns_;
  if (ns > suspicious_ns) {
    const std::int64_t processor_now = processor_ns();
    const std::int64_t lost = (now - compared_ns_) - (processor_now - compared_processor_ns_);
    ns -= std::clamp<std::int64_t>(lost, 0, ns);
    compare(now, processor_now);
  }
  begin_ns_ = now;
  return std::max<std::int64_t>(ns, 0);
}

}  // namespace tsubu
