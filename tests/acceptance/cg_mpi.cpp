// NPB CG in C++ and MPI: rows of the matrix and blocks of the vectors on each rank, a complete exchange before each
// product, sums by recursive doubling. The number of ranks is a power of two.
#include "tests/acceptance/mpi_like.hpp"

#include <cmath>

#include "apps/npb/blocks.hpp"
#include "apps/npb/cg.hpp"
#include "tests/acceptance/presto.hpp"

using namespace mpi_like;
using counts = acceptance::mpi_counts;

struct outcome {
  double zeta = 0;
  double residual = 0;
  double seconds = 0;
  counts counted;
};

class cg {
 public:
  explicit cg(const npb::cg_class& of)
      : problem_(of),
        me_(rank),
        pes_(size),
        first_(first_of(me_)),
        n_(first_of(me_ + 1) - first_),
        rows_(npb::make_matrix(of, first_, first_ + n_)),
        whole_(static_cast<std::size_t>(of.na)),
        x_(size_of(n_)),
        z_(x_),
        r_(x_),
        p_(x_),
        q_(x_) {}

  outcome run(int iterations) {
    outcome result;
    double start = 0;
    for (int iteration = 0; iteration <= iterations; ++iteration) {
      if (iteration <= 1) std::fill(x_.begin(), x_.end(), 1.0);
      if (iteration == 1) {
        result.counted = begin_counting();
        start = acceptance::seconds();
      }
      result.residual = solve();
      result.zeta = problem_.shift + 1.0 / sum(npb::dot(x_, z_));
      npb::scale(1.0 / std::sqrt(sum(npb::dot(z_, z_))), z_, x_);
    }
    result.seconds = acceptance::seconds() - start;
    result.counted = end_counting(result.counted);
    return result;
  }

 private:
  static std::size_t size_of(std::int64_t n) { return static_cast<std::size_t>(n); }
  std::int64_t first_of(int of) const { return npb::block_first(problem_.na, pes_, of); }

  double sum(double mine) {
    for (int distance = 1; distance < pes_; distance *= 2) {
      double theirs = 0;
      const request arriving = Irecv(&theirs, 1, me_ ^ distance);
      Send(&mine, 1, me_ ^ distance);
      Wait(arriving);
      mine += theirs;
    }
    return mine;
  }

  // q = A v
  void product(const std::vector<double>& v) {
    std::copy(v.begin(), v.end(), whole_.begin() + first_);
    for (int i = 1; i < pes_; ++i) {
      const int to = (me_ + i) % pes_;
      const int from = (me_ - i + pes_) % pes_;
      const request arriving = Irecv(&whole_[size_of(first_of(from))], first_of(from + 1) - first_of(from), from);
      Send(v.data(), n_, to);
      Wait(arriving);
    }
    presto::product(problem_, rows_);
    npb::spmv(rows_, whole_, q_);
  }

  // z = about A^-1 x; returns the residual.
  double solve() {
    double rho = sum(npb::cg_start(x_, z_, r_, p_));
    for (int step = 0; step < npb::cg_inner_steps; ++step) {
      product(p_);
      const double alpha = rho / sum(npb::dot(p_, q_));
      const double before = rho;
      rho = sum(npb::cg_advance(alpha, p_, q_, z_, r_));
      npb::cg_direct(rho / before, r_, p_);
    }
    product(z_);
    return std::sqrt(sum(npb::cg_residual(x_, q_)));
  }

  const npb::cg_class& problem_;
  int me_, pes_;
  std::int64_t first_;
  std::int64_t n_;
  npb::csr rows_;
  std::vector<double> whole_;
  std::vector<double> x_, z_, r_, p_, q_;
};

int main_of_rank(int argc, char** argv) {
  const npb::cg_class& problem = npb::cg_class_named(argc > 1 ? argv[1] : "S");
  const int iterations = argc > 2 ? std::atoi(argv[2]) : problem.niter;
  const std::vector<outcome> results = Gather(cg(problem).run(iterations));
  if (rank == 0) acceptance::report_cg("C++ + MPI", problem, iterations, results, acceptance::table_5);
  return acceptance::verdict();
}

int main(int argc, char** argv) { return start(argc, argv, main_of_rank); }
