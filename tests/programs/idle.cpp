// Promise: PEs with nothing to do sleep. An idle second costs less than 30 % of the cores, whether the
// program sleeps itself or waits for a PE that does.
#include <sys/resource.h>
#include <unistd.h>

#include "tests/programs/expect.hpp"

using namespace tsubu;
using namespace std::chrono_literals;

namespace {

std::int64_t cpu_us() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  auto us = [](const timeval& t) { return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_usec; };
  return us(used.ru_utime) + us(used.ru_stime);
}
task<void> nap() { co_await sleep_for(1s); }

task<int> program(arguments) {
  const auto cores = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  for (pe_id sleeper : {0, pe_count() - 1}) {
    const std::int64_t before = co_await everywhere().now<cpu_us>(reduce::plus);
    const std::int64_t begin = now_ns();
    co_await at(sleeper).now<nap>();
    const double wall_us = static_cast<double>(now_ns() - begin) / 1e3;
    const std::int64_t used = co_await everywhere().now<cpu_us>(reduce::plus) - before;
    const double share = static_cast<double>(used) / (wall_us * cores);
    std::printf("PE %d sleeps: %.1f %% of the cores\n", sleeper, 100 * share);
    expect(share < 0.3, "an idle job uses less than 30 % of the cores, and used " + std::to_string(100 * share) + " %");
  }
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
