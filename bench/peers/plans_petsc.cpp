// PETSc's VecScatter on the needs that bench/ours/plans.cpp has: the elements of other ranks that a rank's rows of a
// sparse matrix refer to, each once and in the order of their indices, from a spread vector into one of the rank, as in
// MatMult.
#include <petscvec.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/report.hpp"
#include "bench/sparse_patterns.hpp"
#include "tsubu/base/blocks.hpp"

namespace {

void check(PetscErrorCode code) {
  if (code != 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

std::size_t ranks() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return static_cast<std::size_t>(size);
}
std::size_t rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return static_cast<std::size_t>(number);
}

// A gather that is set up once.
class scatter {
 public:
  explicit scatter(const bench::sparse_pattern& of) {
    const std::size_t first = tsubu::detail::block_begin(of.n, ranks(), rank());
    const std::size_t last = tsubu::detail::block_begin(of.n, ranks(), rank() + 1);
    std::vector<std::int32_t> columns;
    for (std::size_t row = first; row < last; ++row) of.add_row(row, columns);
    std::ranges::sort(columns);
    for (const std::int32_t column : columns) {
      const auto index = static_cast<std::size_t>(column);
      if ((index < first || index >= last) && (needed_.empty() || needed_.back() != column)) needed_.push_back(column);
    }
    const auto count = static_cast<PetscInt>(needed_.size());
    check(VecCreateMPI(PETSC_COMM_WORLD, static_cast<PetscInt>(last - first), static_cast<PetscInt>(of.n), &spread_));
    check(VecCreateSeq(PETSC_COMM_SELF, count, &here_));
    IS from = nullptr, to = nullptr;
    check(ISCreateGeneral(PETSC_COMM_SELF, count, needed_.data(), PETSC_COPY_VALUES, &from));
    check(ISCreateStride(PETSC_COMM_SELF, count, 0, 1, &to));
    check(VecScatterCreate(spread_, from, here_, to, &scatter_));
    check(ISDestroy(&from));
    check(ISDestroy(&to));
    PetscScalar* own = nullptr;
    check(VecGetArray(spread_, &own));
    for (std::size_t k = first; k < last; ++k) own[k - first] = value_of(k);
    check(VecRestoreArray(spread_, &own));
  }
  scatter(const scatter&) = delete;
  scatter& operator=(const scatter&) = delete;
  ~scatter() {
    VecScatterDestroy(&scatter_);
    VecDestroy(&here_);
    VecDestroy(&spread_);
  }

  // Microseconds of one of so many executions, on the rank that took longest.
  double execute(int times) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; ++i) {
      check(VecScatterBegin(scatter_, spread_, here_, INSERT_VALUES, SCATTER_FORWARD));
      check(VecScatterEnd(scatter_, spread_, here_, INSERT_VALUES, SCATTER_FORWARD));
    }
    double us = (MPI_Wtime() - begin) * 1e6 / times;
    MPI_Allreduce(MPI_IN_PLACE, &us, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return us;
  }
  bool verifies() {
    const PetscScalar* values = nullptr;
    check(VecGetArrayRead(here_, &values));
    int right = 1;
    for (std::size_t k = 0; k < needed_.size(); ++k) {
      if (values[k] != value_of(static_cast<std::size_t>(needed_[k]))) right = 0;
    }
    check(VecRestoreArrayRead(here_, &values));
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return right == 1;
  }

 private:
  static double value_of(std::size_t index) { return static_cast<double>(index) + 0.5; }

  std::vector<PetscInt> needed_;
  Vec spread_ = nullptr, here_ = nullptr;
  VecScatter scatter_ = nullptr;
};

// Returns whether the answer verifies.
bool measure(const bench::sparse_pattern& of, std::int64_t turns) {
  constexpr double turn_us = 500;
  scatter plan(of);
  plan.execute(1);
  const bool verified = plan.verifies();
  const int times = std::clamp(static_cast<int>(turn_us / plan.execute(1)), 1, 200);
  std::vector<double> us;
  for (std::int64_t turn = 0; turn < turns; ++turn) us.push_back(plan.execute(times));
  if (rank() != 0) return verified;
  const bench::summary all = bench::summarize(us);
  bench::result_line line("plan");
  line.add("matrix", of.name).add("pes", static_cast<std::int64_t>(ranks())).add("best_us", all.median).add(all);
  line.add("verified", verified).print();
  return verified;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t turns = 15;
  std::string only;
  bench::parse_options(
      argc, argv, "PETSc's VecScatter on sparse matrices of many shapes",
      {{"--only", &only, "matrices whose names begin so; default: all"}, {"--turns", &turns, "whose median counts"}});
  int no_options = 1;
  check(PetscInitialize(&no_options, &argv, nullptr, nullptr));
  bool verified = true;
  for (const bench::sparse_pattern& one : bench::sparse_patterns()) {
    if (one.name.starts_with(only)) verified = measure(one, turns) && verified;
  }
  check(PetscFinalize());
  return verified ? 0 : 1;
}
