// The time of the part of a program that it is measured by. On a simulated machine it also says where that part begins
// and ends, so that the report tells where the time of that part went, and not only that of the whole job with its
// beginning and its checks.
//
//   co_await barrier();
//   program::stopwatch watch;
//   ...
//   const double seconds = co_await all_reduce(watch.seconds(), reduce::max);
#pragma once

#include <cstdint>

#include "tsubu/base/clock.hpp"
#include "tsubu/base/timed_stretch.hpp"

namespace program {

class stopwatch {
 public:
  stopwatch() : start_ns_(tsubu::now_ns()) {
    if (tsubu::told_of_stretches != nullptr) tsubu::told_of_stretches->timed_stretch_begins();
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  // Since it was made. The part is over when this is first asked.
  double seconds() {
    const double elapsed = static_cast<double>(tsubu::now_ns() - start_ns_) * 1e-9;
    if (tsubu::told_of_stretches != nullptr && !over_) tsubu::told_of_stretches->timed_stretch_ends();
    over_ = true;
    return elapsed;
  }

 private:
  const std::int64_t start_ns_;
  bool over_ = false;
};

}  // namespace program
