// A table that all ranks read at random, and write now and then: MPI_Get and MPI_Put, each done before the next one.
//
// The elements lie in blocks, as ours do. A rank accesses its own part through the window, too: to load what another
// rank puts at that moment is an error in MPI.
#include <cstdint>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/peers/rma_window.hpp"
#include "bench/report.hpp"
#include "bench/shared_workload.hpp"

namespace {

class table {
 public:
  table(const bench::mpi_job& job, std::uint32_t elements)
      : elements_(elements),
        per_rank_((elements + static_cast<std::uint32_t>(job.ranks()) - 1) / static_cast<std::uint32_t>(job.ranks())),
        window_(per_rank_) {
    for (std::uint32_t i = 0; i < per_rank_; ++i)
      window_.mine()[i] = bench::table_value(static_cast<std::uint32_t>(job.rank()) * per_rank_ + i, elements, 0);
    window_.exchange();
  }

  std::int64_t read(std::uint32_t element) const {
    const int rank = static_cast<int>(element / per_rank_);
    std::int64_t value = 0;
    MPI_Get(&value, 1, MPI_INT64_T, rank, element % per_rank_, 1, MPI_INT64_T, window_.get());
    MPI_Win_flush(rank, window_.get());
    return value;
  }
  void write(std::uint32_t element, std::int64_t value) const {
    const int rank = static_cast<int>(element / per_rank_);
    MPI_Put(&value, 1, MPI_INT64_T, rank, element % per_rank_, 1, MPI_INT64_T, window_.get());
    MPI_Win_flush(rank, window_.get());
  }

  // Every value that was read was one of its element.
  bool use(const std::vector<bench::table_access>& accesses, std::int64_t version) const {
    bool right = true;
    for (const bench::table_access a : accesses) {
      if (a.writes != 0) {
        write(a.element, bench::table_value(a.element, elements_, version));
      } else {
        right = bench::is_value_of(a.element, elements_, read(a.element)) && right;
      }
    }
    return right;
  }

  // All ranks read the same.
  bool same_everywhere() const {
    window_.exchange();
    std::vector<std::int64_t> values(elements_), least(elements_);
    for (std::uint32_t i = 0; i < elements_; ++i) values[i] = read(i);
    MPI_Allreduce(values.data(), least.data(), static_cast<int>(elements_), MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return bench::all_ranks(values == least);
  }

 private:
  std::uint32_t elements_, per_rank_;
  bench::rma_window<std::int64_t> window_;
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t count = 20'000, size = 1000, repetitions = 51;
  bench::parse_options(argc, argv, "random accesses to a table by MPI_Get and MPI_Put, 99 reads to a write",
                       {{"--accesses", &count, "of each rank"},
                        {"--elements", &size, "of the table"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  const auto elements = static_cast<std::uint32_t>(size);
  const std::vector<bench::table_access> accesses =
      bench::make_table_accesses(static_cast<std::size_t>(count), static_cast<std::uint32_t>(job.rank()), elements);
  std::vector<double> seconds;
  bool verified = true;
  {
    const table values(job, elements);
    for (std::int64_t r = 0; r <= repetitions; ++r) {
      bool right = true;
      const double time = bench::time_of([&] {
        right = values.use(accesses, r + 1);
        MPI_Barrier(MPI_COMM_WORLD);
      });
      verified = bench::all_ranks(right) && values.same_everywhere() && verified;
      if (r > 0) seconds.push_back(time);
    }
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("table_rma");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("accesses", count).add("elements", size);
  line.add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("accesses_per_second_and_pe", static_cast<double>(count) / times.median);
    line.add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
