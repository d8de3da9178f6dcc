// Ghost rows: in each step a rank writes a row of doubles, all wait for each other, and it reads the row of the next
// rank. `get`: it stores into its own part of the window, and the reader gets; `put`: it puts the row into memory of
// the reader's part, who finds it there after the barrier.
//
// Two rows for steps in turn, so that one barrier a step is enough.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/peers/rma_window.hpp"
#include "bench/report.hpp"
#include "bench/shared_workload.hpp"

namespace {

class exchange {
 public:
  exchange(const bench::mpi_job& job, std::size_t length, bool puts)
      : rank_(job.rank()),
        next_((job.rank() + 1) % job.ranks()),
        before_((job.rank() + job.ranks() - 1) % job.ranks()),
        puts_(puts),
        row_(length),
        window_(2 * length) {}

  bool run(std::int64_t first, std::int64_t steps) {
    bool right = true;
    for (std::int64_t step = first; step < first + steps; ++step) {
      const std::size_t at = static_cast<std::size_t>(step % 2) * row_.size();
      right = bench::is_row_of(puts_ ? by_put(step, at) : by_get(step, at), row_.size(), next_, step) && right;
    }
    return right;
  }

 private:
  const double* by_get(std::int64_t step, std::size_t at) {
    make(window_.mine() + at, step);
    window_.exchange();
    MPI_Get(row_.data(), length(), MPI_DOUBLE, next_, static_cast<MPI_Aint>(at), length(), MPI_DOUBLE, window_.get());
    MPI_Win_flush(next_, window_.get());
    return row_.data();
  }
  const double* by_put(std::int64_t step, std::size_t at) {
    make(row_.data(), step);
    MPI_Put(row_.data(), length(), MPI_DOUBLE, before_, static_cast<MPI_Aint>(at), length(), MPI_DOUBLE, window_.get());
    MPI_Win_flush(before_, window_.get());
    window_.exchange();
    return window_.mine() + at;
  }
  void make(double* to, std::int64_t step) const {
    for (std::size_t i = 0; i < row_.size(); ++i) to[i] = bench::row_value(rank_, step, i);
  }
  int length() const { return static_cast<int>(row_.size()); }

  int rank_, next_, before_;
  bool puts_;
  std::vector<double> row_;
  bench::rma_window<double> window_;
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t length = 2048, steps = 200, repetitions = 51;
  std::string by = "get";
  bench::parse_options(argc, argv, "each rank writes a row and reads the next one's, by MPI_Get or MPI_Put",
                       {{"--length", &length, "doubles in a row"},
                        {"--steps", &steps, "of a measurement"},
                        {"--by", &by, "get or put"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  std::vector<double> seconds;
  bool verified = true;
  {
    exchange rows(job, static_cast<std::size_t>(length), by == "put");
    for (std::int64_t r = 0; r <= repetitions; ++r) {
      bool right = true;
      const double time = bench::time_of([&] { right = rows.run(r * steps, steps); });
      verified = bench::all_ranks(right) && verified;
      if (r > 0) seconds.push_back(time);
    }
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("rows_rma");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("length", length).add("by", by).add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("steps_per_second", static_cast<double>(steps) / times.median).add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
