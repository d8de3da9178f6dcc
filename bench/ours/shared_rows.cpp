// Ghost rows: in each step a PE writes a row of doubles, all wait for each other, and it reads the row of the next PE.
//
// A row is an element of a shared array of vectors. Each PE has two, for steps in turn, so that one barrier a step is
// enough. Who has a copy looks at that; else the row is fetched.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tsubu/tsubu.hpp>

#include "bench/ours/job.hpp"
#include "bench/shared_workload.hpp"

namespace {

using namespace tsubu;

using row = std::vector<double>;
using rows = shared_array<row>;

row make_row(std::size_t length, std::int64_t step) {
  row r(length);
  for (std::size_t i = 0; i < length; ++i) r[i] = bench::row_value(this_pe(), step, i);
  return r;
}

task<bool> exchange_rows(rows all, std::size_t length, std::int64_t first, std::int64_t steps) {
  const auto me = static_cast<std::size_t>(this_pe()), next = (me + 1) % static_cast<std::size_t>(pe_count());
  bool right = true;
  for (std::int64_t step = first; step < first + steps; ++step) {
    const auto turn = static_cast<std::size_t>(step % 2);
    co_await all[2 * me + turn].write(make_row(length, step));
    co_await barrier();
    const auto from = all[2 * next + turn];
    const row* theirs = from.copy();
    row fetched;
    if (theirs == nullptr) {
      fetched = co_await from.read();
      theirs = &fetched;
    }
    right = theirs->size() == length &&
            bench::is_row_of(theirs->data(), length, static_cast<std::int64_t>(next), step) && right;
  }
  co_return right;
}

task<int> program(arguments args) {
  std::int64_t length = 2048, steps = 200, repetitions = 51;
  std::string how = "update";
  if (const auto code = bench::read_options(
          args, "each PE writes a row and reads the next one's",
          {{"--length", &length, "doubles in a row"},
           {"--steps", &steps, "of a measurement"},
           {"--protocol", &how, "of the rows"},
           {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}}))
    co_return *code;
  const std::optional<protocol> chosen = protocol_named(how);
  require(chosen.has_value(), "--protocol: there is none of the name '{}'", how);
  require(length > 0 && steps > 0 && repetitions > 0, "--length, --steps and --repetitions are 1 at least");
  const rows all = co_await create_shared_array<row>(2 * static_cast<std::size_t>(pe_count()), by_block(), *chosen);
  std::vector<double> seconds;
  bool verified = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    co_await barrier();
    const bench::stopwatch watch;
    const bool right = co_await exchange_rows(all, static_cast<std::size_t>(length), r * steps, steps);
    const double time = co_await all_reduce(watch.seconds(), reduce::max);
    verified = co_await all_reduce(right, reduce::all) && verified;
    if (r > 0) seconds.push_back(time);
  }
  if (this_pe() == 0) {
    bench::result_line line("shared_rows");
    line.add("transport", transport_name()).add("pes", pe_count()).add("length", length).add("protocol", how);
    line.add("verified", verified);
    if (verified) {
      const bench::summary times = bench::summarize(seconds);
      line.add("seconds", times.median).add("steps_per_second", static_cast<double>(steps) / times.median).add(times);
    }
    line.print();
  }
  co_return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
