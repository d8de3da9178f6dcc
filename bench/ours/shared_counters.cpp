// Fetch-and-add on random counters of a shared array, spread over the PEs; the protocol is global, and each answer is
// awaited by the task that has asked. So many tasks of a PE do so at a time.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/shared_workload.hpp"

namespace {

using namespace tsubu;

using table = shared_array<std::uint64_t>;

std::uint64_t take(std::uint64_t& value) { return value++; }

task<void> take_each(table values, std::uint32_t per_pe, const bench::update* first, const bench::update* end,
                     std::uint64_t* sum) {
  for (const bench::update* u = first; u != end; ++u) {
    const std::uint64_t got = co_await values[std::size_t{u->pe} * per_pe + u->counter].change<take>();
    *sum += got;
  }
}

// By so many tasks, which share the updates evenly. The sum of what they got.
task<std::uint64_t> take_all(table values, std::uint32_t per_pe, const std::vector<bench::update>* mine,
                             std::size_t tasks) {
  std::uint64_t sum = 0;
  scope all;
  for (std::size_t t = 0; t < tasks; ++t) {
    const bench::update* const begin = mine->data();
    all.spawn(
        take_each(values, per_pe, begin + mine->size() * t / tasks, begin + mine->size() * (t + 1) / tasks, &sum));
  }
  co_await all.join();
  co_return sum;
}

// How often each counter of the job is counted up in one run.
task<std::vector<std::uint64_t>> accesses_of(const std::vector<bench::update>* mine, std::uint32_t per_pe) {
  std::vector<std::uint64_t> each(std::size_t{per_pe} * static_cast<std::size_t>(pe_count()));
  for (const bench::update u : *mine) ++each[std::size_t{u.pe} * per_pe + u.counter];
  co_return co_await all_reduce(each, reduce::plus);
}

task<bool> are(table values, const std::vector<std::uint64_t>* expected) {
  std::vector<std::uint64_t> found(values.size());
  co_await values.read(0, std::span(found));
  const bool right = co_await all_reduce(found == *expected, reduce::all);
  values.for_each_here([&](std::size_t i) { values[i].put(0); });
  co_await barrier();
  co_return right;
}

task<int> program(arguments args) {
  std::int64_t count = 10'000, size = 1000, tasks = 64, repetitions = 51;
  if (const auto code = bench::read_options(
          args, "fetch-and-add on random counters",
          {{"--updates", &count, "of each PE"},
           {"--counters", &size, "of each PE"},
           {"--in-flight", &tasks, "of a PE at a time"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  require(count > 0 && size > 0 && tasks > 0 && repetitions > 0, "all options are 1 at least");
  const auto per_pe = static_cast<std::uint32_t>(size);
  const std::vector<bench::update> mine =
      bench::make_updates(static_cast<std::size_t>(count), static_cast<std::uint32_t>(this_pe()),
                          static_cast<std::uint32_t>(pe_count()), per_pe);
  const std::vector<std::uint64_t> expected = co_await accesses_of(&mine, per_pe);
  const table values = co_await create_shared_array<std::uint64_t>(expected.size(), by_block(), protocol::global, 0U);
  std::vector<double> seconds;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    co_await barrier();
    const bench::stopwatch watch;
    const std::uint64_t got = co_await take_all(values, per_pe, &mine, static_cast<std::size_t>(tasks));
    co_await barrier();
    const double time = co_await all_reduce(watch.seconds(), reduce::max);
    const std::uint64_t sum = co_await all_reduce(got, reduce::plus);
    verified = co_await are(values, &expected) && sum == bench::sum_of_fetched(expected) && verified;
    if (r > 0) seconds.push_back(time);
  }
  if (this_pe() == 0) {
    bench::result_line line("shared_counters");
    line.add("transport", transport_name()).add("pes", pe_count()).add("updates", count).add("in_flight", tasks);
    line.add("verified", verified);
    if (verified) {
      const bench::summary times = bench::summarize(seconds);
      line.add("seconds", times.median).add("updates_per_second_and_pe", static_cast<double>(count) / times.median);
      line.add(times);
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
