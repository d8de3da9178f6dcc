// PEs that mostly wait: tokens go round the ring of PEs, and whoever has one computes for a moment and sends it on.
//
// The same number of hops on few PEs and on many shows what it costs that PEs share their cores.
#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

pe_local<std::int64_t> hops_here;

void compute(std::int64_t ns) {
  for (const std::int64_t end = now_ns() + ns; now_ns() < end;) {
  }
}

void hop(std::int64_t left, std::int64_t work_ns) {
  ++*hops_here;
  compute(work_ns);
  if (left > 1) at((this_pe() + 1) % pe_count()).past<hop>(left - 1, work_ns);
}

std::int64_t take_hops() { return std::exchange(*hops_here, 0); }

task<int> program(arguments args) {
  std::int64_t hops = 4000, tokens = 1, work_ns = 5000, repetitions = 7;
  if (const auto code =
          bench::read_options(args, "tokens in a ring of PEs that wait",
                              {{"--hops", &hops, "of each token"},
                               {"--tokens", &tokens, "that start on PEs 0, 1, ..."},
                               {"--work", &work_ns, "nanoseconds of computing at each hop"},
                               {"--repetitions", &repetitions, "after one untimed; their median is reported"}}))
    co_return *code;
  std::vector<double> ns;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const bench::stopwatch watch;
    for (std::int64_t t = 0; t < tokens; ++t) at(static_cast<pe_id>(t % pe_count())).past<hop>(hops, work_ns);
    co_await quiescence();
    if (r > 0) ns.push_back(watch.seconds() * 1e9 / static_cast<double>(hops));
    verified = co_await everywhere().now<take_hops>(reduce::plus) == hops * tokens && verified;
  }
  bench::result_line line("ring");
  line.add("transport", transport_name()).add("pes", pe_count()).add("tokens", tokens).add("work_ns", work_ns);
  line.add("verified", verified);
  const bench::summary times = bench::summarize(ns);
  if (verified) line.add("ns_per_hop", times.median).add(times);
  line.print();
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, program); }
