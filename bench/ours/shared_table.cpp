// A table that all PEs read at random, and write now and then: one access of a hundred is a write. An array of update
// variables; each access is awaited before the next one.
//
// The first, untimed run brings the copies. The time is that of the slowest PE.
#include <cstdint>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/shared_workload.hpp"

namespace {

using namespace tsubu;

using table = shared_array<std::int64_t>;
using accesses = std::vector<bench::table_access>;

// Every value that was read was one of its element.
task<bool> use(table values, const accesses* mine, std::int64_t version) {
  const auto elements = static_cast<std::uint32_t>(values.size());
  bool right = true;
  for (const bench::table_access a : *mine) {
    if (a.writes != 0) {
      co_await values[a.element].write(bench::table_value(a.element, elements, version));
    } else {
      right = bench::is_value_of(a.element, elements, co_await values[a.element].read()) && right;
    }
  }
  co_return right;
}

// All PEs read the same.
task<bool> same_everywhere(table values) {
  std::vector<std::int64_t> read(values.size());
  co_await values.read(0, std::span(read));
  const std::vector<std::int64_t> least = co_await all_reduce(read, reduce::min);
  co_return co_await all_reduce(read == least, reduce::all);
}

task<int> program(arguments args) {
  std::int64_t count = 20'000, size = 1000, repetitions = 51;
  if (const auto code = bench::read_options(
          args, "random accesses to a table, 99 reads to a write",
          {{"--accesses", &count, "of each PE"},
           {"--elements", &size, "of the table"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  require(count > 0 && size > 0 && repetitions > 0, "--accesses, --elements and --repetitions are 1 at least");
  const auto elements = static_cast<std::uint32_t>(size);
  const accesses mine =
      bench::make_table_accesses(static_cast<std::size_t>(count), static_cast<std::uint32_t>(this_pe()), elements);
  const table values = co_await create_shared_array<std::int64_t>(elements, by_block(), protocol::update, 0);
  for (std::uint32_t i = 0; i < elements; ++i) {
    if (values[i].home() == this_pe()) co_await values[i].write(bench::table_value(i, elements, 0));
  }
  std::vector<double> seconds;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    co_await barrier();
    const bench::stopwatch watch;
    const bool right = co_await use(values, &mine, r + 1);
    co_await barrier();
    const double time = co_await all_reduce(watch.seconds(), reduce::max);
    const bool all_right = co_await all_reduce(right, reduce::all), same = co_await same_everywhere(values);
    verified = verified && all_right && same;
    if (r > 0) seconds.push_back(time);
  }
  if (this_pe() == 0) {
    bench::result_line line("shared_table");
    line.add("transport", transport_name()).add("pes", pe_count()).add("accesses", count).add("elements", size);
    line.add("verified", verified);
    if (verified) {
      const bench::summary times = bench::summarize(seconds);
      line.add("seconds", times.median).add("accesses_per_second_and_pe", static_cast<double>(count) / times.median);
      line.add(times);
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
