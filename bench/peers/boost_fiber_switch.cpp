// A switch between Boost.Fiber fibers of one thread: yield under its default, round-robin scheduler.
#include <boost/fiber/all.hpp>
#include <cstdint>
#include <vector>

#include "bench/peers/per_step.hpp"
#include "bench/report.hpp"

int main(int argc, char** argv) {
  std::int64_t fibers = 1000, switches = 1000, repetitions = 11;
  bench::parse_options(argc, argv, "switch between Boost.Fiber fibers",
                       {{"--fibers", &fibers, "on one thread"},
                        {"--switches", &switches, "of each"},
                        {"--repetitions", &repetitions, "measurements; their median is reported"}});
  std::int64_t counted = 0;
  const std::int64_t steps = fibers * switches;
  // The fibers wait behind a gate while they are made, so that making them is not measured.
  std::vector<double> measured;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    boost::fibers::barrier gate(static_cast<std::size_t>(fibers) + 1);
    std::vector<boost::fibers::fiber> all;
    all.reserve(static_cast<std::size_t>(fibers));
    for (std::int64_t i = 0; i < fibers; ++i)
      all.emplace_back(boost::fibers::launch::dispatch, [&] {
        gate.wait();
        for (std::int64_t k = 0; k < switches; ++k) {
          ++counted;
          boost::this_fiber::yield();
        }
      });
    gate.wait();
    const std::uint64_t start = tsubu::ticks();
    for (boost::fibers::fiber& f : all) f.join();
    const std::uint64_t end = tsubu::ticks();
    if (r > 0) measured.push_back(static_cast<double>(end - start) / static_cast<double>(steps));
  }

  const bool verified = counted == steps * (repetitions + 1);
  const bench::summary ticks = bench::summarize(measured);
  bench::result_line line("boost_fiber_switch");
  line.add("peer", "boost_fiber").add("pes", 1).add("tasks", fibers).add("verified", verified);
  if (verified) bench::add_times(line, "switch", ticks);
  line.add(ticks).print();
  return verified ? 0 : 1;
}
