// Fetch-and-add on random counters spread over the ranks: MPI_Fetch_and_op, so many of a rank begun, and then
// MPI_Win_flush_all.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/peers/rma_window.hpp"
#include "bench/report.hpp"
#include "bench/shared_workload.hpp"

namespace {

// The sum of what came back.
std::uint64_t take_all(const bench::rma_window<std::uint64_t>& window, const std::vector<bench::update>& updates,
                       std::size_t in_flight) {
  const std::uint64_t one = 1;
  std::vector<std::uint64_t> got(in_flight);
  std::uint64_t sum = 0;
  for (std::size_t done = 0; done < updates.size(); done += in_flight) {
    const std::size_t count = std::min(in_flight, updates.size() - done);
    for (std::size_t k = 0; k < count; ++k) {
      const bench::update u = updates[done + k];
      MPI_Fetch_and_op(&one, &got[k], MPI_UINT64_T, static_cast<int>(u.pe), u.counter, MPI_SUM, window.get());
    }
    if (count == 1) {
      MPI_Win_flush(static_cast<int>(updates[done].pe), window.get());
    } else {
      MPI_Win_flush_all(window.get());
    }
    sum = std::accumulate(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(count), sum);
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t count = 10'000, size = 1000, in_flight = 64, repetitions = 51;
  bench::parse_options(argc, argv, "fetch-and-add on random counters by MPI_Fetch_and_op",
                       {{"--updates", &count, "of each rank"},
                        {"--counters", &size, "of each rank"},
                        {"--in-flight", &in_flight, "of a rank before it waits for them"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  const auto per_rank = static_cast<std::uint32_t>(size);
  const auto me = static_cast<std::uint32_t>(job.rank());
  const auto ranks = static_cast<std::uint32_t>(job.ranks());
  const std::vector<bench::update> updates = bench::make_updates(static_cast<std::size_t>(count), me, ranks, per_rank);
  std::vector<std::uint64_t> expected(std::size_t{per_rank} * ranks);
  for (const bench::update u : updates) ++expected[std::size_t{u.pe} * per_rank + u.counter];
  MPI_Allreduce(MPI_IN_PLACE, expected.data(), static_cast<int>(expected.size()), MPI_UINT64_T, MPI_SUM,
                MPI_COMM_WORLD);

  std::vector<double> seconds;
  bool verified = true;
  {
    const bench::rma_window<std::uint64_t> window(per_rank);
    for (std::int64_t r = 0; r <= repetitions; ++r) {
      std::fill_n(window.mine(), per_rank, 0);
      window.exchange();
      std::uint64_t sum = 0;
      const double time = bench::time_of([&] {
        sum = take_all(window, updates, static_cast<std::size_t>(in_flight));
        MPI_Barrier(MPI_COMM_WORLD);
      });
      window.exchange();
      const bool right =
          std::equal(window.mine(), window.mine() + per_rank, expected.data() + std::size_t{me} * per_rank);
      verified = bench::all_ranks(right) && bench::sum_over_ranks(sum) == bench::sum_of_fetched(expected) && verified;
      window.exchange();
      if (r > 0) seconds.push_back(time);
    }
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("counters_rma");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("updates", count).add("in_flight", in_flight);
  line.add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("updates_per_second_and_pe", static_cast<double>(count) / times.median);
    line.add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
