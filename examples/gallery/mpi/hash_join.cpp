// Joins two tables of key/value rows on equal keys, and prints the number of matches and a checksum of them.
//
// The rows are dealt out to all ranks, and each key has a home. First all rows of the left table are exchanged, so that
// each is at the home of its key, and put into a hash table there; then those of the right table, which are looked up.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "examples/gallery/problem/hash_join.hpp"

// Sends each row to the home of its key; gives the rows that have come here.
std::vector<row> exchange(const std::vector<row>& rows, int ranks, MPI_Datatype row_type) {
  const auto home = [ranks](const row& r) { return splitmix64(r.key) % static_cast<std::uint64_t>(ranks); };
  const auto n = static_cast<std::size_t>(ranks);
  std::vector<int> out(n), in(n), out_at(n + 1), in_at(n + 1);
  for (const row& r : rows) ++out[home(r)];
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < n; ++i) {
    out_at[i + 1] = out_at[i] + out[i];
    in_at[i + 1] = in_at[i] + in[i];
  }
  std::vector<row> sent(rows.size()), received(static_cast<std::size_t>(in_at[n]));
  std::vector<int> next = out_at;
  for (const row& r : rows) sent[static_cast<std::size_t>(next[home(r)]++)] = r;
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), row_type, received.data(), in.data(), in_at.data(), row_type,
                MPI_COMM_WORLD);
  return received;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Datatype row_type{};
  MPI_Type_contiguous(2, MPI_UINT64_T, &row_type);
  MPI_Type_commit(&row_type);
  const std::uint64_t rows = argc > 1 ? std::stoull(argv[1]) : 300'000;
  const auto me = static_cast<std::uint64_t>(rank), step = static_cast<std::uint64_t>(ranks);

  std::vector<row> lefts, rights;
  for (std::uint64_t i = me; i < rows; i += step) {
    lefts.push_back(left(i, rows));
    rights.push_back(right(i, rows));
  }
  std::unordered_multimap<std::uint64_t, std::uint64_t> table;
  for (const row& l : exchange(lefts, ranks, row_type)) table.emplace(l.key, l.value);
  matches found, all;
  for (const row& r : exchange(rights, ranks, row_type)) {
    const auto [first, last] = table.equal_range(r.key);
    for (auto l = first; l != last; ++l) found = found + matches{1, l->second * r.value};
  }
  MPI_Reduce(&found, &all, 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);

  int code = 0;
  if (rank == 0) {
    std::printf("%ju matches of %ju and %ju rows, checksum %016jx\n", std::uintmax_t{all.count}, std::uintmax_t{rows},
                std::uintmax_t{rows}, std::uintmax_t{all.checksum});
    if (all != join_by_sums(rows)) {
      std::printf("This is not what the sums by key say.\n");
      code = 1;
    }
  }
  MPI_Type_free(&row_type);
  MPI_Finalize();
  return code;
}
