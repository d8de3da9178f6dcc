// One jump between two stacks by Boost.Context: the least that a fiber switch can cost.
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <utility>

#include "bench/peers/per_step.hpp"
#include "bench/report.hpp"

int main(int argc, char** argv) {
  std::int64_t jumps = 1'000'000, repetitions = 21;
  bench::parse_options(argc, argv, "a jump between two stacks by Boost.Context",
                       {{"--jumps", &jumps, "of a measurement"},
                        {"--repetitions", &repetitions, "measurements; their median is reported"}});
  std::int64_t arrivals = 0;
  bool stop = false;
  boost::context::fiber other([&](boost::context::fiber&& main_fiber) {
    while (!stop) {
      ++arrivals;
      main_fiber = std::move(main_fiber).resume();
    }
    return std::move(main_fiber);
  });
  const std::int64_t trips = jumps / 2;  // there and back
  const bench::summary ticks = bench::ticks_per_step(repetitions, 2 * trips, [&] {
    for (std::int64_t i = 0; i < trips; ++i) other = std::move(other).resume();
  });
  stop = true;
  other = std::move(other).resume();

  const bool verified = arrivals == trips * (repetitions + 1);
  bench::result_line line("context_jump");
  line.add("peer", "boost_context").add("pes", 1).add("verified", verified);
  if (verified) bench::add_times(line, "jump", ticks);
  line.add(ticks).print();
  return verified ? 0 : 1;
}
