// A counter that two PEs use in turn, 64 accesses a visit: as a mobile variable, which comes to who uses it, and by
// `now` to its home.
//
// A visit of PE 0, whose counter it is, then one of PE 1, and so on; each adds and looks at what came. PE 1 is asked to
// visit by `now`, both times alike.
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

long add(long& value, long by) { return value += by; }

pe_local<long> counter;
long add_here(long by) { return *counter += by; }

// The last value that it has seen.
task<long> visit_mobile(shared<long> x, std::int64_t accesses) {
  long last = 0;
  for (std::int64_t i = 0; i < accesses; ++i) last = co_await x.change<add>(1L);
  co_return last;
}
task<long> visit_home(std::int64_t accesses) {
  long last = 0;
  for (std::int64_t i = 0; i < accesses; ++i) last = co_await at(0).now<add_here>(1L);
  co_return last;
}

task<int> program(arguments args) {
  std::int64_t accesses = 64, visits = 100, repetitions = 51;
  if (const auto code = bench::read_options(
          args, "a counter that two PEs use in turn",
          {{"--accesses", &accesses, "of a visit"},
           {"--visits", &visits, "of each PE in a measurement"},
           {"--repetitions", &repetitions, "measurements, after one untimed; their median is reported"}}))
    co_return *code;
  require(pe_count() >= 2, "visits need two PEs");
  require(accesses > 0 && visits > 0 && repetitions > 0, "--accesses, --visits and --repetitions are 1 at least");
  const shared<long> mobile = create_shared(protocol::mobile, 0L);
  const double all = 2 * static_cast<double>(accesses * visits);
  std::vector<double> mobile_ns, now_ns;
  long last = 0, last_by_now = 0;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const bench::stopwatch of_mobile;
    for (std::int64_t v = 0; v < visits; ++v) {
      co_await visit_mobile(mobile, accesses);
      last = co_await at(1).now<visit_mobile>(mobile, accesses);
    }
    if (r > 0) mobile_ns.push_back(of_mobile.seconds() * 1e9 / all);
    const bench::stopwatch of_now;
    for (std::int64_t v = 0; v < visits; ++v) {
      co_await visit_home(accesses);
      last_by_now = co_await at(1).now<visit_home>(accesses);
    }
    if (r > 0) now_ns.push_back(of_now.seconds() * 1e9 / all);
  }
  const long expected = 2 * accesses * visits * (repetitions + 1);
  const bool verified = last == expected && last_by_now == expected;
  bench::result_line line("shared_visits");
  line.add("transport", transport_name()).add("pes", pe_count()).add("accesses", accesses).add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(mobile_ns), by_now = bench::summarize(now_ns);
    line.add("mobile_accesses_per_second", 1e9 / times.median).add("now_accesses_per_second", 1e9 / by_now.median);
    line.add("mobile_ns", times.median).add("now_ns", by_now.median).add(times);
  }
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
