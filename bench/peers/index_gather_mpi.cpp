// Bale's index-gather, packed by hand: each rank takes `batch` reads, sorts them by owner, and all ranks exchange the
// indices and then the values with MPI_Alltoallv. The reader remembers where each value belongs. What stays at home
// is not sent. All ranks have equally many reads, so nobody needs to be asked whether the others are done.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"
#include "bench/workload.hpp"

namespace {

std::uint64_t value_at(std::uint64_t pe, std::uint64_t index) {
  return bench::random_source((pe << 32) + index).next();
}

class gather {
 public:
  gather(const bench::mpi_job& job, std::uint32_t entries, std::size_t batch)
      : rank_(static_cast<std::size_t>(job.rank())),
        ranks_(static_cast<std::size_t>(job.ranks())),
        batch_(batch),
        table_(entries),
        indices_(batch * ranks_),
        places_(batch * ranks_),
        asked_(batch * ranks_),
        answers_(batch * ranks_),
        values_(batch * ranks_),
        send_counts_(ranks_),
        receive_counts_(ranks_),
        send_first_(ranks_),
        receive_first_(ranks_) {
    for (std::size_t i = 0; i < entries; ++i) table_[i] = value_at(rank_, i);
    for (std::size_t i = 0; i < ranks_; ++i) send_first_[i] = static_cast<int>(i * batch);
  }

  // Collective. Reads what `reads` name, into `got`.
  void run(const std::vector<bench::update>& reads, std::vector<std::uint64_t>& got) {
    for (std::size_t done = 0; done < reads.size(); done += batch_) {
      pack(reads.data() + done, std::min(batch_, reads.size() - done), done);
      exchange();
      for (std::size_t r = 0; r < ranks_; ++r) {
        for (int i = 0; i < send_counts_[r]; ++i) {
          const std::size_t k = r * batch_ + static_cast<std::size_t>(i);
          got[places_[k]] = r == rank_ ? table_[indices_[k]] : values_[k];
        }
      }
    }
  }

 private:
  void pack(const bench::update* reads, std::size_t count, std::size_t first) {
    std::fill(send_counts_.begin(), send_counts_.end(), 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t r = reads[i].pe;
      const std::size_t k = r * batch_ + static_cast<std::size_t>(send_counts_[r]++);
      indices_[k] = reads[i].counter;
      places_[k] = static_cast<std::uint32_t>(first + i);
    }
  }

  void exchange() {
    const int at_home = send_counts_[rank_];
    send_counts_[rank_] = 0;
    MPI_Alltoall(send_counts_.data(), 1, MPI_INT, receive_counts_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(receive_counts_.begin(), receive_counts_.end(), receive_first_.begin(), 0);
    MPI_Alltoallv(indices_.data(), send_counts_.data(), send_first_.data(), MPI_UINT32_T, asked_.data(),
                  receive_counts_.data(), receive_first_.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    const int asked = receive_first_.back() + receive_counts_.back();
    for (int i = 0; i < asked; ++i) {
      answers_[static_cast<std::size_t>(i)] = table_[asked_[static_cast<std::size_t>(i)]];
    }
    MPI_Alltoallv(answers_.data(), receive_counts_.data(), receive_first_.data(), MPI_UINT64_T, values_.data(),
                  send_counts_.data(), send_first_.data(), MPI_UINT64_T, MPI_COMM_WORLD);
    send_counts_[rank_] = at_home;
  }

  std::size_t rank_, ranks_, batch_;
  std::vector<std::uint64_t> table_;
  std::vector<std::uint32_t> indices_, places_, asked_;
  std::vector<std::uint64_t> answers_, values_;
  std::vector<int> send_counts_, receive_counts_, send_first_, receive_first_;
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t reads = 10'000'000, entries = 100'000, batch = 8192, repetitions = 7;
  bench::parse_options(argc, argv, "bale's index-gather by MPI_Alltoallv, packed by hand",
                       {{"--reads", &reads, "of each rank"},
                        {"--entries", &entries, "of each rank, 8 bytes each"},
                        {"--batch", &batch, "reads of a rank per exchange"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  const auto me = static_cast<std::uint32_t>(job.rank());
  const auto ranks = static_cast<std::uint32_t>(job.ranks());
  const auto size = static_cast<std::uint32_t>(entries);
  const std::vector<bench::update> wanted = bench::make_updates(static_cast<std::size_t>(reads), me, ranks, size);
  std::vector<std::uint64_t> got(wanted.size());
  gather table(job, size, static_cast<std::size_t>(batch));

  std::vector<double> seconds;
  bool verified = true;
  for (std::int64_t repetition = 0; repetition <= repetitions; ++repetition) {
    std::fill(got.begin(), got.end(), 0);
    const double time = bench::time_of([&] { table.run(wanted, got); });
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != value_at(wanted[i].pe, wanted[i].counter) ? 1 : 0;
    verified = bench::sum_over_ranks(wrong) == 0 && verified;
    if (repetition > 0) seconds.push_back(time);
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("index_gather");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("reads", reads).add("entries", entries);
  line.add("batch", batch).add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("reads_per_second_and_pe", static_cast<double>(reads) / times.median);
    line.add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
