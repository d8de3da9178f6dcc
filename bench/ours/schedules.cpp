// How many schedules of a protocol are explored in a second, in one process: each PE sends a message to the next, which
// answers it, and all find out that nothing is left.
#include <tsubu/tsubu.hpp>

#include "bench/report.hpp"
#include "tsubu/sim/explore.hpp"

namespace {

using namespace tsubu;

pe_local<int> answers;
void answered() { ++*answers; }
void asked(pe_id by) { at(by).past<answered>(); }

task<int> short_protocol() {
  at((this_pe() + 1) % pe_count()).past<asked>(this_pe());
  co_await quiescence();
  co_return *answers == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t seeds = 20'000, pes = 2;
  bench::parse_options(argc, argv, "schedules explored in a second",
                       {{"--seeds", &seeds, "schedules"}, {"--pes", &pes, "of each"}});
  const sim::exploration what{.count = static_cast<std::uint64_t>(seeds), .pes = {static_cast<int>(pes)}};
  const sim::findings found = sim::explore(sim::read_machine("cluster"), what, short_protocol);
  bench::result_line line("schedules");
  line.add("pes", static_cast<int>(pes)).add("verified", found.failures.empty() && found.runs == what.count);
  line.add("schedules_per_second", static_cast<double>(found.runs) / found.seconds);
  line.add("events_per_second", static_cast<double>(found.events) / found.seconds);
  line.print();
  return found.failures.empty() ? 0 : 1;
}
