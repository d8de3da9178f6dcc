// A histogram over all ranks, for docs/from_others.md: the draws for each rank are packed, exchanged, and counted.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

constexpr std::uint64_t counters = 1000, draws = 300'000;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const auto me = static_cast<std::uint64_t>(rank), ranks = static_cast<std::uint64_t>(size);

  std::vector<std::vector<std::uint64_t>> packed(ranks);
  for (std::uint64_t i = me; i < draws; i += ranks) {
    const std::uint64_t counter = splitmix64(i) % counters;
    packed[counter % ranks].push_back(counter / ranks);
  }

  std::vector<std::uint64_t> out;
  std::vector<int> out_sizes(ranks), in_sizes(ranks), out_at(ranks + 1), in_at(ranks + 1);
  for (std::size_t to = 0; to < ranks; ++to) {
    out.insert(out.end(), packed[to].begin(), packed[to].end());
    out_sizes[to] = static_cast<int>(packed[to].size());
    out_at[to + 1] = static_cast<int>(out.size());
  }
  MPI_Alltoall(out_sizes.data(), 1, MPI_INT, in_sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t from = 0; from < ranks; ++from) in_at[from + 1] = in_at[from] + in_sizes[from];
  std::vector<std::uint64_t> in(static_cast<std::size_t>(in_at.back()));
  MPI_Alltoallv(out.data(), out_sizes.data(), out_at.data(), MPI_UINT64_T, in.data(), in_sizes.data(), in_at.data(),
                MPI_UINT64_T, MPI_COMM_WORLD);

  std::vector<long> mine(counters);
  for (const std::uint64_t counter : in) ++mine[counter];
  const long most_here = *std::max_element(mine.begin(), mine.end());
  long most = 0;
  MPI_Reduce(&most_here, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("the fullest counter has %ld of %d draws\n", most, static_cast<int>(draws));
  MPI_Finalize();
  return 0;
}
