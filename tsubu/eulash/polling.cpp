#include "tsubu/eulash/polling.hpp"

#include <algorithm>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/simulated_machine.hpp"
#include "tsubu/eulash/memory.h"
#include "tsubu/eulash/thread.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/remote/pe.hpp"

__thread int eulash_polls_left = 0;

namespace tsubu::placed {
namespace {

thread_local constinit poll_pace pace;

// In a simulated job looks come after a fixed number, since a run is to be the same each time.
constexpr int polls_when_simulated = 256;

std::uint64_t packets_taken() { return remote::current_pe->messages.counted().packets_taken(); }

}  // namespace

int poll_pace::next(std::int64_t now_ns, std::int64_t interval_ns) {
  constexpr double most = 1 << 16;
  interval_ns_ = std::clamp(interval_ns, shortest_ns, longest_ns);
  since_ns_ = now_ns;
  polls_ = static_cast<std::int64_t>(std::clamp(static_cast<double>(interval_ns_) / ns_of_poll_, 1.0, most));
  return static_cast<int>(polls_);
}

int poll_pace::looks(std::int64_t now_ns, std::int64_t beyond) {
  if (polls_ != 0) {
    // Another thread's loop may have been longer, or this one was interrupted: by half at a time.
    const double took = static_cast<double>(now_ns - since_ns_) / static_cast<double>(polls_ + beyond);
    ns_of_poll_ = std::max(std::clamp(took, ns_of_poll_ / 2, ns_of_poll_ * 2), 0.1);
  }
  return next(now_ns, 2 * interval_ns_);
}

int poll_pace::goes_on(std::int64_t now_ns) { return next(now_ns, shortest_ns); }

void look_soon() {
  if (simulated == nullptr) eulash_polls_left = pace.goes_on(now_ns());
}

}  // namespace tsubu::placed

extern "C" void eulash_poll_now() {
  using namespace tsubu::placed;
  const std::int64_t beyond = -std::int64_t{eulash_polls_left};
  eulash_polls_left = tsubu::simulated != nullptr ? polls_when_simulated : pace.looks(tsubu::now_ns(), beyond);
  const std::uint64_t before = packets_taken();
  let_others_run();
  if (packets_taken() != before) look_soon();
}
