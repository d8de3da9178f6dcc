// A lone round trip: `co_await at(1).now<echo>(x)` with 8 bytes, one at a time.
#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

std::uint64_t echo(std::uint64_t x) { return x; }

task<int> program(arguments args) {
  std::int64_t trips = 10'000, repetitions = 21;
  if (const auto code = bench::read_options(
          args, "8 bytes there and back, one at a time",
          {{"--trips", &trips, "of a measurement"},
           {"--repetitions", &repetitions, "measurements, after one untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() >= 2, "a round trip needs two PEs");
  std::vector<double> ns;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const bench::stopwatch watch;
    for (std::int64_t i = 0; i < trips; ++i) {
      const std::uint64_t back = co_await at(1).now<echo>(static_cast<std::uint64_t>(i));
      verified = verified && back == static_cast<std::uint64_t>(i);
    }
    if (r > 0) ns.push_back(watch.seconds() * 1e9 / static_cast<double>(trips));
  }
  bench::result_line line("roundtrip");
  const bench::summary times = bench::summarize(ns);
  line.add("transport", transport_name()).add("pes", pe_count()).add("bytes", 8).add("verified", verified);
  if (verified) line.add("round_trip_ns", times.median).add(times);
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
