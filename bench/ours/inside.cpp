// What a job costs inside a program of MPI, behind the first on its communicator: run() of a program that does nothing,
// and a run of a session; beside them a barrier of that MPI, since nobody may return before all have come.
#include <tsubu/mpi.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdlib>
#include <vector>

#include "bench/report.hpp"

namespace {

using namespace tsubu;

constexpr int code = 7;  // which all ranks must be told

task<int> nothing(arguments) { co_return code; }

struct rounds {
  std::int64_t blocks = 20;
  std::int64_t of_a_block = 100;
};

// Microseconds of once(), which says whether all was well, in the median block. The first block does not count.
template <class F>
double microseconds(const rounds& r, F once) {
  std::vector<double> each;
  for (std::int64_t block = 0; block <= r.blocks; ++block) {
    const std::int64_t begin = now_ns();
    for (std::int64_t i = 0; i < r.of_a_block; ++i) {
      if (!once()) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const auto ns = static_cast<double>(now_ns() - begin);
    if (block != 0) each.push_back(ns / 1e3 / static_cast<double>(r.of_a_block));
  }
  return bench::summarize(each).median;
}

}  // namespace

int main(int argc, char** argv) {
  rounds r;
  bench::parse_options(argc, argv, "empty jobs inside a program of MPI",
                       {{"--blocks", &r.blocks, "how often it is measured, after a first time"},
                        {"--rounds", &r.of_a_block, "jobs of a block"}});
  MPI_Init(nullptr, nullptr);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double barrier = microseconds(r, [] { return MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS; });
  const double run = microseconds(r, [] { return mpi::run(MPI_COMM_WORLD, nothing) == code; });
  mpi::session session(MPI_COMM_WORLD);
  const double of_session = microseconds(r, [&session] { return session.run(nothing) == code; });
  const bool verified = session.end() == 0;
  if (rank == 0) {
    bench::result_line line("inside");
    line.add("transport", TSUBU_BENCH_MPI).add("pes", size).add("verified", verified);
    line.add("run_us", run).add("session_us", of_session).add("barrier_us", barrier);
    line.print();
  }
  MPI_Finalize();
  return verified ? 0 : 1;
}
