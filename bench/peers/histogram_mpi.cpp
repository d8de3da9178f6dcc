// The histogram of bale, packed by hand: each rank takes `batch` updates, sorts them by destination, and all ranks
// exchange them with MPI_Alltoall (counts) and MPI_Alltoallv (4 bytes an update). What stays at home is not sent.
// All ranks have equally many updates, so nobody needs to be asked whether the others are done.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"
#include "bench/workload.hpp"

namespace {

class histogram {
 public:
  histogram(const bench::mpi_job& job, std::uint32_t counters, std::size_t batch)
      : rank_(job.rank()),
        batch_(batch),
        counters_(counters),
        outgoing_(batch * static_cast<std::size_t>(job.ranks())),
        incoming_(outgoing_.size()),
        ends_(static_cast<std::size_t>(job.ranks())),
        send_counts_(ends_.size()),
        receive_counts_(ends_.size()),
        send_first_(ends_.size()),
        receive_first_(ends_.size()) {
    for (std::size_t i = 0; i < ends_.size(); ++i) send_first_[i] = static_cast<int>(i * batch);
  }

  void clear() { std::fill(counters_.begin(), counters_.end(), 0); }
  const std::vector<bench::counter>& counters() const { return counters_; }

  // Collective. next(): the next of `count` updates of this rank.
  template <typename Next>
  void run(std::size_t count, Next next) {
    for (std::size_t done = 0; done < count; done += batch_) {
      pack(std::min(batch_, count - done), next);
      exchange();
    }
  }

 private:
  // Per destination a stretch of `batch` items in outgoing_, as it may have to take them all.
  template <typename Next>
  void pack(std::size_t count, Next& next) {
    for (std::size_t i = 0; i < ends_.size(); ++i) ends_[i] = outgoing_.data() + i * batch_;
    std::uint32_t** const ends = ends_.data();
    for (std::size_t k = 0; k < count; ++k) {
      const bench::update u = next();
      *ends[u.pe]++ = u.counter;
    }
    for (std::size_t i = 0; i < ends_.size(); ++i)
      send_counts_[i] = static_cast<int>(ends_[i] - (outgoing_.data() + i * batch_));
  }

  void exchange() {
    const auto me = static_cast<std::size_t>(rank_);
    const int at_home = send_counts_[me];
    send_counts_[me] = 0;
    MPI_Alltoall(send_counts_.data(), 1, MPI_INT, receive_counts_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(receive_counts_.begin(), receive_counts_.end(), receive_first_.begin(), 0);
    MPI_Alltoallv(outgoing_.data(), send_counts_.data(), send_first_.data(), MPI_UINT32_T, incoming_.data(),
                  receive_counts_.data(), receive_first_.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    apply(outgoing_.data() + me * batch_, at_home);
    apply(incoming_.data(), receive_first_.back() + receive_counts_.back());
  }

  void apply(const std::uint32_t* items, int count) {
    bench::counter* const counters = counters_.data();
    for (int i = 0; i < count; ++i) ++counters[items[i]];
  }

  int rank_;
  std::size_t batch_;
  std::vector<bench::counter> counters_;
  std::vector<std::uint32_t> outgoing_, incoming_;
  std::vector<std::uint32_t*> ends_;
  std::vector<int> send_counts_, receive_counts_, send_first_, receive_first_;
};

bool same_on_all(const bench::histogram_sums& sent, const bench::histogram_sums& held) {
  return bench::sum_over_ranks(sent.updates) == bench::sum_over_ranks(held.updates) &&
         bench::sum_over_ranks(sent.places) == bench::sum_over_ranks(held.places);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t updates = 10'000'000, counters = 1000, batch = 65536, repetitions = 7;
  std::string targets = "stored";
  bench::parse_options(argc, argv, "bale's histogram by MPI_Alltoallv, packed by hand",
                       {{"--updates", &updates, "of each rank"},
                        {"--counters", &counters, "of each rank, 8 bytes each"},
                        {"--batch", &batch, "updates of a rank per exchange"},
                        {"--targets", &targets, "stored: random targets are made beforehand; made: as they are used"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  const auto me = static_cast<std::uint32_t>(job.rank());
  const auto ranks = static_cast<std::uint32_t>(job.ranks());
  const auto size = static_cast<std::uint32_t>(counters);
  const auto count = static_cast<std::size_t>(updates);
  const std::vector<bench::update> stored = bench::make_updates(count, me, ranks, size);
  histogram table(job, size, static_cast<std::size_t>(batch));

  std::vector<double> seconds;
  bool verified = true;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    table.clear();
    const double time = bench::time_of([&] {
      if (targets == "made") {
        table.run(count, [source = bench::update_source(me, ranks, size)]() mutable { return source.next(); });
      } else {
        table.run(count, [next = stored.data()]() mutable { return *next++; });
      }
    });
    verified =
        same_on_all(bench::sums_of_updates(stored, size), bench::sums_of_counters(table.counters(), me)) && verified;
    if (repetition > 0) seconds.push_back(time);
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("histogram");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("updates", updates).add("counters", counters);
  line.add("batch", batch).add("targets", targets).add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("updates_per_second_and_pe", static_cast<double>(updates) / times.median);
    line.add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
