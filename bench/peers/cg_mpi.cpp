// NPB CG in plain MPI, with the distribution that our own version has: rows and vectors in blocks, rank i of p having
// [floor(n i / p), floor(n (i + 1) / p)); before each product every rank gets the whole vector; scalars by all-reduce.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/npb/blocks.hpp"
#include "apps/npb/cg.hpp"
#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

namespace {

// Completes a vector of which each rank has its block.
class exchange {
 public:
  exchange(std::int64_t n, const bench::mpi_job& job, bool collective)
      : rank_(job.rank()), ranks_(job.ranks()), collective_(collective) {
    for (int i = 0; i < ranks_; ++i) {
      first_.push_back(static_cast<int>(npb::block_first(n, ranks_, i)));
      size_.push_back(static_cast<int>(npb::block_size(n, ranks_, i)));
    }
  }

  void complete(std::vector<double>& whole) {
    if (collective_) {
      MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, whole.data(), size_.data(), first_.data(), MPI_DOUBLE,
                     MPI_COMM_WORLD);
      return;
    }
    requests_.clear();
    for (int step = 1; step < ranks_; ++step) {
      const int from = (rank_ + ranks_ - step) % ranks_;
      MPI_Irecv(whole.data() + first(from), size(from), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &requests_.emplace_back());
    }
    for (int step = 1; step < ranks_; ++step) {
      const int to = (rank_ + step) % ranks_;
      MPI_Isend(whole.data() + first(rank_), size(rank_), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests_.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  int first(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
  int size(int rank) const { return size_[static_cast<std::size_t>(rank)]; }

  int rank_;
  int ranks_;
  bool collective_;
  std::vector<int> first_;
  std::vector<int> size_;
  std::vector<MPI_Request> requests_;
};

class solver {
 public:
  solver(const npb::cg_class& problem, const bench::mpi_job& job, bool collective)
      : problem_(problem),
        exchange_(problem.na, job, collective),
        first_(npb::block_first(problem.na, job.ranks(), job.rank())),
        last_(npb::block_first(problem.na, job.ranks(), job.rank() + 1)),
        a_(npb::make_matrix(problem, first_, last_)),
        whole_(static_cast<std::size_t>(problem.na)),
        x_(static_cast<std::size_t>(last_ - first_)),
        z_(x_.size()),
        r_(x_.size()),
        q_(x_.size()) {}

  void start() { std::fill(x_.begin(), x_.end(), 1.0); }

  // One outer iteration; returns zeta.
  double iterate() {
    conj_grad();
    const double zeta = problem_.shift + 1.0 / bench::sum_over_ranks(npb::dot(x_, z_));
    npb::scale(1.0 / std::sqrt(bench::sum_over_ranks(npb::dot(z_, z_))), z_, x_);
    return zeta;
  }

 private:
  double conj_grad() {
    const std::span<double> p = std::span(whole_).subspan(static_cast<std::size_t>(first_), x_.size());
    double rho = bench::sum_over_ranks(npb::cg_start(x_, z_, r_, p));
    for (int step = 0; step < npb::cg_inner_steps; ++step) {
      multiply();
      const double alpha = rho / bench::sum_over_ranks(npb::dot(p, q_));
      const double previous = rho;
      rho = bench::sum_over_ranks(npb::cg_advance(alpha, p, q_, z_, r_));
      npb::cg_direct(rho / previous, r_, p);
    }
    std::copy(z_.begin(), z_.end(), p.begin());
    multiply();
    return std::sqrt(bench::sum_over_ranks(npb::cg_residual(x_, q_)));
  }

  // q = A times the vector whose local block is in whole_.
  void multiply() {
    exchange_.complete(whole_);
    npb::spmv(a_, whole_, q_);
  }

  const npb::cg_class& problem_;
  exchange exchange_;
  std::int64_t first_, last_;
  npb::csr a_;
  std::vector<double> whole_;  // the vector to multiply; its local block is p
  std::vector<double> x_, z_, r_, q_;
};

int run(const npb::cg_class& problem, const bench::mpi_job& job, bool collective, std::int64_t repetitions) {
  solver cg(problem, job, collective);
  std::vector<double> seconds;
  double zeta = 0;
  bool verified = true;
  for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
    cg.start();
    cg.iterate();
    cg.start();
    seconds.push_back(bench::time_of([&] {
      for (int i = 0; i < problem.niter; ++i) zeta = cg.iterate();
    }));
    verified = verified && npb::cg_verified(problem, zeta);
  }
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("cg");
  line.add("peer", BENCH_MPI).add("class", std::string(1, problem.name)).add("pes", job.ranks());
  line.add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(seconds);
    line.add("seconds", times.median).add("mops", npb::cg_mops(problem, times.median));
    line.add(times).add("zeta", zeta);
  }
  line.print();
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string class_name = "A";
  std::string how = "isend";
  std::int64_t repetitions = 7;
  bench::parse_options(argc, argv, "NPB CG in plain MPI, 1-D blocks",
                       {{"--class", &class_name, "S, W, A, B, C or D"},
                        {"--exchange", &how, "isend or allgatherv"},
                        {"--repetitions", &repetitions, "timed runs; their median is reported"}});
  bench::mpi_job job(argc, argv);
  try {
    return run(npb::cg_class_named(class_name), job, how == "allgatherv", repetitions);
  } catch (const std::invalid_argument& error) {
    if (job.rank() == 0) std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
