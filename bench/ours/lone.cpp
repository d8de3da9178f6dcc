// A lone round trip, `co_await at(1).now<echo>(x)`, while other PEs flood each other: what its latency becomes.
//
// idle: nobody else sends. others: PE 2 sends to PE 3 without end. same: PE 2 sends to PE 1, which must also answer.
#include <algorithm>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

std::uint64_t echo(std::uint64_t x) { return x; }

struct flood_state {
  bool wanted = false;
  std::uint64_t received = 0;
};
pe_local<flood_state> here;

void receive(std::uint32_t) { ++here->received; }
std::uint64_t received() { return here->received; }
void stop() { here->wanted = false; }

task<void> flood(pe_id whom) {
  here->wanted = true;
  for (std::uint32_t i = 0; here->wanted; ++i) {
    at(whom).past<receive>(i);
    if (i % 64 == 63) co_await room_everywhere();
    if (i % 1024 == 1023) co_await yield();  // lets stop() in
  }
}

struct latencies {
  std::vector<double> ns;
  bool verified = true;
  double at(double share) const { return ns[static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1))]; }
};

task<latencies> measure(std::int64_t trips) {
  latencies found;
  found.ns.reserve(static_cast<std::size_t>(trips));
  for (std::int64_t i = 0; i < trips; ++i) {
    const std::int64_t from = now_ns();
    const std::uint64_t back = co_await at(1).now<echo>(static_cast<std::uint64_t>(i));
    found.ns.push_back(static_cast<double>(now_ns() - from));
    found.verified = found.verified && back == static_cast<std::uint64_t>(i);
  }
  std::sort(found.ns.begin(), found.ns.end());
  co_return found;
}

task<latencies> measure_in_flood(std::int64_t trips, pe_id whom) {
  at(2).past<flood>(whom);
  const std::uint64_t before = co_await at(whom).now<received>();
  latencies found = co_await measure(trips);
  found.verified = found.verified && co_await at(whom).now<received>() > before;  // a flood there was
  at(2).past<stop>();
  co_await quiescence();
  co_return found;
}

task<int> program(arguments args) {
  std::int64_t trips = 20'000;
  if (const auto code =
          bench::read_options(args, "a lone round trip beside a flood", {{"--trips", &trips, "of each kind"}}))
    co_return *code;
  require(pe_count() >= 4, "PEs 2 and 3 flood while PEs 0 and 1 talk: this needs 4 PEs");
  co_await measure(trips / 10);
  const latencies idle = co_await measure(trips);
  const latencies others = co_await measure_in_flood(trips, 3);
  const latencies same = co_await measure_in_flood(trips, 1);
  const bool verified = idle.verified && others.verified && same.verified;
  bench::result_line line("lone");
  line.add("transport", transport_name()).add("pes", pe_count()).add("trips", trips).add("verified", verified);
  line.add("idle_p50_ns", idle.at(0.5)).add("idle_p99_ns", idle.at(0.99));
  line.add("others_p50_ns", others.at(0.5)).add("others_p99_ns", others.at(0.99)).add("others_max_ns", others.at(1));
  line.add("same_p50_ns", same.at(0.5)).add("same_p99_ns", same.at(0.99)).add("same_max_ns", same.at(1));
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
