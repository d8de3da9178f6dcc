// Sorts 64-bit integers that are spread over the ranks; afterwards each rank holds a range of them, in order.
//
// Some numbers of each rank are a sample, from which everybody finds where the ranges begin and end. Then the numbers
// are exchanged, so that each is on the rank of its range, and each rank sorts what has come.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "examples/gallery/problem/sample_sort.hpp"

// Sends each number to the rank of its range; gives the numbers that have come here.
numbers sort_out(const numbers& own, const numbers& splitters) {
  const std::size_t ranks = splitters.size() + 1;
  const auto owner = [&](std::uint64_t v) {
    return static_cast<std::size_t>(std::upper_bound(splitters.begin(), splitters.end(), v) - splitters.begin());
  };
  std::vector<int> out(ranks), in(ranks), out_at(ranks + 1), in_at(ranks + 1);
  for (const std::uint64_t v : own) ++out[owner(v)];
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < ranks; ++i) {
    out_at[i + 1] = out_at[i] + out[i];
    in_at[i + 1] = in_at[i] + in[i];
  }
  numbers sent(own.size()), received(static_cast<std::size_t>(in_at[ranks]));
  std::vector<int> next = out_at;
  for (const std::uint64_t v : own) sent[static_cast<std::size_t>(next[owner(v)]++)] = v;
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), MPI_UINT64_T, received.data(), in.data(), in_at.data(),
                MPI_UINT64_T, MPI_COMM_WORLD);
  return received;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::uint64_t n = argc > 1 ? std::stoull(argv[1]) : 1'000'000;
  const auto me = static_cast<std::uint64_t>(rank), step = static_cast<std::uint64_t>(ranks);
  numbers own;
  for (std::uint64_t i = me; i < n; i += step) own.push_back(splitmix64(i));

  constexpr std::size_t sample_size = 64;
  numbers sample(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(std::min(sample_size, own.size())));
  sample.resize(sample_size, std::numeric_limits<std::uint64_t>::max());  // who has fewer says nothing with the rest
  numbers samples(sample_size * step), splitters;
  MPI_Allgather(sample.data(), sample_size, MPI_UINT64_T, samples.data(), sample_size, MPI_UINT64_T, MPI_COMM_WORLD);
  std::sort(samples.begin(), samples.end());
  for (std::uint64_t r = 1; r < step; ++r) splitters.push_back(samples[r * sample_size]);

  numbers range = sort_out(own, splitters);
  std::sort(range.begin(), range.end());

  std::uint64_t size = range.size(), first = 0;
  MPI_Exscan(&size, &first, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const numbers mine = figures(range, first, n);
  numbers found(mine.size());
  MPI_Reduce(mine.data(), found.data(), static_cast<int>(mine.size()), MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);

  int code = 0;
  if (rank == 0) {
    std::printf("%ju numbers: minimum %ju, median %ju, maximum %ju\n", std::uintmax_t{n}, std::uintmax_t{found[0]},
                std::uintmax_t{found[1]}, std::uintmax_t{found[2]});
    std::printf("checksum %016jx\n", std::uintmax_t{found[3]});
    if (found != figures_of_all(n)) {
      std::printf("This is not what a serial sort says.\n");
      code = 1;
    }
  }
  MPI_Finalize();
  return code;
}
