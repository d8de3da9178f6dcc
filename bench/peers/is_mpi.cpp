// NPB IS in plain MPI: per iteration one all-reduce of the bucket sizes, one all-to-all of counts, one of keys.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/npb/blocks.hpp"
#include "apps/npb/is.hpp"
#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

namespace {

class ranker {
 public:
  ranker(const npb::is_class& problem, const bench::mpi_job& job)
      : problem_(problem),
        rank_(job.rank()),
        ranks_(job.ranks()),
        first_(npb::block_first(problem.keys(), ranks_, rank_)),
        keys_(npb::generate_keys(problem, first_, npb::block_first(problem.keys(), ranks_, rank_ + 1))),
        ordered_(keys_.size()),
        own_(static_cast<std::size_t>(problem.buckets() + npb::is_test_keys)),
        total_(own_.size()),
        receive_counts_(static_cast<std::size_t>(ranks_)),
        send_first_(receive_counts_.size()),
        receive_first_(receive_counts_.size()) {}

  void start() { npb::restore_keys(problem_, first_, keys_); }

  // Ranks all keys once; returns how many test keys of this rank were right.
  int rank(int iteration) {
    npb::change_keys(problem_, iteration, first_, keys_);
    npb::bucket_counts(problem_, first_, keys_, own_);
    MPI_Allreduce(own_.data(), total_.data(), static_cast<int>(own_.size()), MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    npb::plan_redistribution(problem_, own_, total_, ranks_, rank_, plan_);
    npb::order_by_bucket(problem_, keys_, own_, ordered_);
    MPI_Alltoall(plan_.send_counts.data(), 1, MPI_INT32_T, receive_counts_.data(), 1, MPI_INT32_T, MPI_COMM_WORLD);
    std::exclusive_scan(plan_.send_counts.begin(), plan_.send_counts.end(), send_first_.begin(), 0);
    std::exclusive_scan(receive_counts_.begin(), receive_counts_.end(), receive_first_.begin(), 0);
    received_.resize(static_cast<std::size_t>(plan_.keys_here));
    MPI_Alltoallv(ordered_.data(), plan_.send_counts.data(), send_first_.data(), MPI_INT32_T, received_.data(),
                  receive_counts_.data(), receive_first_.data(), MPI_INT32_T, MPI_COMM_WORLD);
    npb::rank_keys(plan_, received_, below_);
    return npb::check_partial(problem_, plan_, iteration, below_);
  }

  // Collective; true on all ranks if all keys are in order.
  bool full_verify() const {
    const npb::is_key mine = npb::last_key_here(received_);
    npb::is_key left = -1;
    MPI_Exscan(&mine, &left, 1, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD);
    if (rank_ == 0) left = -1;
    return bench::all_ranks(npb::full_verify(plan_, received_, below_, left));
  }

 private:
  const npb::is_class& problem_;
  int rank_;
  int ranks_;
  std::int64_t first_;
  std::vector<npb::is_key> keys_, ordered_, received_;
  std::vector<std::int32_t> own_, total_, below_;
  std::vector<int> receive_counts_, send_first_, receive_first_;
  npb::is_plan plan_;
};

int run(const npb::is_class& problem, const bench::mpi_job& job, std::int64_t repetitions) {
  ranker is(problem, job);
  std::vector<double> seconds;
  bool verified = true;
  for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
    std::uint64_t passed = 0;
    is.start();
    is.rank(1);
    seconds.push_back(bench::time_of([&] {
      for (int i = 1; i <= npb::is_iterations; ++i) passed += static_cast<std::uint64_t>(is.rank(i));
    }));
    verified = verified && bench::sum_over_ranks(passed) == npb::is_iterations * npb::is_test_keys;
    verified = is.full_verify() && verified;
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("is");
  line.add("peer", BENCH_MPI).add("class", std::string(1, problem.name)).add("pes", job.ranks());
  line.add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("mops", npb::is_mops(problem, times.median)).add(times);
  }
  line.print();
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string class_name = "A";
  std::int64_t repetitions = 7;
  bench::parse_options(argc, argv, "NPB IS in plain MPI",
                       {{"--class", &class_name, "S, W, A, B, C or D"},
                        {"--repetitions", &repetitions, "timed runs; their median is reported"}});
  bench::mpi_job job(argc, argv);
  try {
    return run(npb::is_class_named(class_name), job, repetitions);
  } catch (const std::invalid_argument& error) {
    if (job.rank() == 0) std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
