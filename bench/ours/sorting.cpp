// tsubu::sort() of numbers or texts that lie on all PEs. The time is that of the slowest PE, from a barrier on.
#include <algorithm>
#include <string>
#include <vector>

#include <tsubu/containers.hpp>
#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/report.hpp"
#include "bench/sort_workload.hpp"

namespace {

using namespace tsubu;

// The last elements of this PE and the first ones of the next are in order, too.
template <class T>
task<bool> in_order(const std::vector<T>& share) {
  std::vector<T> ends;
  if (!share.empty()) ends = {share.front(), share.back()};
  std::vector<T> all;
  for (std::vector<T>& of_pe : co_await all_gather(ends)) std::ranges::move(of_pe, std::back_inserter(all));
  const bool here = std::ranges::is_sorted(share) && std::ranges::is_sorted(all);
  co_return co_await all_reduce(here ? 1 : 0, reduce::min) == 1;
}

template <class T>
task<double> timed(std::size_t count, bool& verified) {
  std::vector<T> mine = bench::make_sort_keys<T>(count, static_cast<std::size_t>(this_pe()));
  const std::uint64_t before = co_await all_reduce(bench::sum_of(mine), reduce::plus);
  co_await barrier();
  const bench::stopwatch watch;
  const std::vector<T> share = co_await sort(std::move(mine));
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);
  const std::uint64_t after = co_await all_reduce(bench::sum_of(share), reduce::plus);
  const bool ordered = co_await in_order(share);
  verified = verified && before == after && ordered;
  co_return seconds;
}

task<int> program(arguments args) {
  std::int64_t elements = 10'000'000, repetitions = 3;
  std::string what = "numbers";
  if (const auto code = bench::read_options(
          args, "sorting what lies on all PEs",
          {{"--what", &what, "numbers or texts"},
           {"--elements", &elements, "of all PEs"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  std::vector<double> seconds;
  bool verified = true;
  const auto count = static_cast<std::size_t>(elements / pe_count());
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    double once = 0;
    if (what == "texts") {
      once = co_await timed<std::string>(count, verified);
    } else {
      once = co_await timed<std::uint64_t>(count, verified);
    }
    if (r > 0) seconds.push_back(once);
  }
  if (this_pe() == 0) {
    bench::result_line line("sorting");
    line.add("transport", transport_name()).add("pes", pe_count()).add("what", what).add("verified", verified);
    if (verified) line.add("seconds", bench::summarize(seconds).median);
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
