// The nodes of one of UTS's trees, counted by a loop over a stack of nodes, on one thread.
#include <vector>

#include "apps/uts/tree.hpp"
#include "bench/report.hpp"
#include "tsubu/base/clock.hpp"

int main(int argc, char** argv) {
  std::int64_t repetitions = 3;
  bench::parse_options(argc, argv, "an unbalanced tree, searched by one thread",
                       {{"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  const uts::sample& sample = *uts::find_sample("T1");
  std::vector<double> rates;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const std::int64_t start_ns = tsubu::now_ns();
    const uts::tally found = uts::search(sample.tree);
    const double us = static_cast<double>(tsubu::now_ns() - start_ns) * 1e-3;
    if (r > 0) rates.push_back(static_cast<double>(found.nodes) / us);
    verified = verified && found == sample.known;
  }
  bench::result_line line("uts");
  line.add("verified", verified);
  if (verified) line.add("mops", bench::summarize(rates).median);
  line.print();
  return verified ? 0 : 1;
}
