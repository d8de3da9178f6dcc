// Functions that threads which are no PEs post through gates. The figure is posts that were run, a second.
#include <thread>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"

namespace {

using namespace tsubu;

pe_local<std::int64_t> run_here;

// On each PE at once: that many threads each post so often to the PE.
task<double> seconds_of(std::int64_t threads, std::int64_t posts) {
  *run_here = 0;
  co_await barrier();
  const bench::stopwatch watch;
  std::vector<std::thread> others;
  for (std::int64_t t = 0; t < threads; ++t) {
    others.emplace_back([in = gate(), posts] {
      for (std::int64_t i = 0; i < posts; ++i) in.post([] { ++*run_here; });
    });
  }
  co_await quiescence();  // the gates are closed, and all that came through has run
  const double taken = watch.seconds();
  for (std::thread& t : others) t.join();
  co_return taken;
}

task<int> program(arguments args) {
  std::int64_t threads = 1, posts = 1'000'000, repetitions = 5;
  if (const auto code = bench::read_options(
          args, "posts of foreign threads through gates",
          {{"--threads", &threads, "of each PE"},
           {"--posts", &posts, "of each thread"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  std::vector<double> rates;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const double seconds = co_await seconds_of(threads, posts);
    verified = verified && *run_here == threads * posts;
    const std::int64_t all = co_await all_reduce(*run_here, reduce::plus);
    if (r > 0) rates.push_back(static_cast<double>(all) / seconds);
  }
  verified = co_await all_reduce(verified, reduce::all);
  if (this_pe() == 0) {
    bench::result_line line("gates");
    line.add("transport", transport_name()).add("pes", pe_count()).add("threads", threads).add("posts", posts);
    line.add("verified", verified);
    if (verified) line.add("posts_per_second", bench::summarize(rates).median);
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
