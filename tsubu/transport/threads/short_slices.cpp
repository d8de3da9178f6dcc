#include "tsubu/transport/threads/short_slices.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <optional>

namespace tsubu::transport {
namespace {

// As in <linux/sched/types.h>. glibc has functions for it since 2.41 only.
struct attributes {
  std::uint32_t size = sizeof(attributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // of an ordinary thread: its slice, in nanoseconds
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

std::optional<attributes> of_this_thread() {
  attributes a;
  if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) != 0) return std::nullopt;
  if (a.policy != SCHED_OTHER && a.policy != SCHED_BATCH) return std::nullopt;
  return a;
}

}  // namespace

std::int64_t slice_ns() {
  const std::optional<attributes> now = of_this_thread();
  return now ? static_cast<std::int64_t>(now->runtime) : 0;
}

short_slices::short_slices(std::int64_t ns) {
  std::optional<attributes> now = of_this_thread();
  if (ns == 0 || !now) return;
  const auto before = static_cast<std::int64_t>(now->runtime);
  if (before > 0 && before <= ns) return;
  now->runtime = static_cast<std::uint64_t>(ns);
  if (syscall(SYS_sched_setattr, 0, &*now, 0) == 0) before_ns_ = before;
}

short_slices::~short_slices() {
  if (before_ns_ < 0) return;
  std::optional<attributes> now = of_this_thread();
  if (!now) return;
  now->runtime = static_cast<std::uint64_t>(before_ns_);
  syscall(SYS_sched_setattr, 0, &*now, 0);
}

}  // namespace tsubu::transport
