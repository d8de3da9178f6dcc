// MPI's own collectives, one by one, as bench_collectives times ours: the time of a call on the slowest rank.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

namespace {

// What one call sends and receives; `check` says whether that came which should.
struct collective {
  const char* name;
  std::function<void()> call;
  std::function<bool()> check;
};

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

class all_calls {
 public:
  all_calls(int rank, int ranks, std::size_t bytes)
      : rank_(rank),
        ranks_(ranks),
        bytes_(static_cast<int>(bytes)),
        ints_(index_of(ranks), rank),
        ints_came_(index_of(ranks)),
        row_(bytes, mark_of(rank)),
        rows_(bytes * index_of(ranks), mark_of(rank)),
        rows_came_(bytes * index_of(ranks)),
        doubles_(std::max<std::size_t>(bytes / sizeof(double), 1), 1.0),
        sums_(doubles_.size()) {}

  // In the order of bench_collectives.
  std::vector<collective> list() {
    return {
        {"barrier", [] { MPI_Barrier(MPI_COMM_WORLD); }, [] { return true; }},
        {"all_reduce_double",
         [this] { MPI_Allreduce(doubles_.data(), sums_.data(), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); },
         [this] { return sums_[0] == ranks_; }},
        {"scan_double", [this] { MPI_Scan(doubles_.data(), sums_.data(), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); },
         [this] { return sums_[0] == rank_ + 1; }},
        {"broadcast_int", [this] { MPI_Bcast(ints_came_.data(), 1, MPI_INT, 0, MPI_COMM_WORLD); },
         [this] { return ints_came_[0] == 0; }},
        {"gather_int",
         [this] { MPI_Gather(ints_.data(), 1, MPI_INT, ints_came_.data(), 1, MPI_INT, 0, MPI_COMM_WORLD); },
         [this] { return rank_ != 0 || are_ranks(); }},
        {"all_gather_int",
         [this] { MPI_Allgather(ints_.data(), 1, MPI_INT, ints_came_.data(), 1, MPI_INT, MPI_COMM_WORLD); },
         [this] { return are_ranks(); }},
        {"all_to_all_int",
         [this] { MPI_Alltoall(ints_.data(), 1, MPI_INT, ints_came_.data(), 1, MPI_INT, MPI_COMM_WORLD); },
         [this] { return are_ranks(); }},
        {"all_to_all_bytes",
         [this] { MPI_Alltoall(rows_.data(), bytes_, MPI_CHAR, rows_came_.data(), bytes_, MPI_CHAR, MPI_COMM_WORLD); },
         [this] { return are_marked(); }},
        {"all_gather_bytes",
         [this] { MPI_Allgather(row_.data(), bytes_, MPI_CHAR, rows_came_.data(), bytes_, MPI_CHAR, MPI_COMM_WORLD); },
         [this] { return are_marked(); }},
        {"gather_bytes",
         [this] { MPI_Gather(row_.data(), bytes_, MPI_CHAR, rows_came_.data(), bytes_, MPI_CHAR, 0, MPI_COMM_WORLD); },
         [this] { return rank_ != 0 || are_marked(); }},
        {"all_reduce_bytes",
         [this] {
           MPI_Allreduce(doubles_.data(), sums_.data(), static_cast<int>(sums_.size()), MPI_DOUBLE, MPI_SUM,
                         MPI_COMM_WORLD);
         },
         [this] { return std::ranges::all_of(sums_, [this](double sum) { return sum == ranks_; }); }},
        {"broadcast_bytes", [this] { MPI_Bcast(rows_came_.data(), bytes_, MPI_CHAR, 0, MPI_COMM_WORLD); },
         [this] { return bytes_ == 0 || rank_ == 0 || rows_came_[0] == rows_came_[index_of(bytes_ - 1)]; }},
    };
  }

 private:
  static char mark_of(int rank) { return static_cast<char>('a' + rank % 26); }
  bool are_ranks() const {
    for (int from = 0; from < ranks_; ++from) {
      if (ints_came_[index_of(from)] != from) return false;
    }
    return true;
  }
  bool are_marked() const {
    for (int from = 0; from < ranks_; ++from) {
      const char* const row = rows_came_.data() + index_of(from) * index_of(bytes_);
      if (!std::all_of(row, row + bytes_, [from](char c) { return c == mark_of(from); })) return false;
    }
    return true;
  }

  int rank_, ranks_, bytes_;
  std::vector<int> ints_, ints_came_;
  std::vector<char> row_, rows_, rows_came_;
  std::vector<double> doubles_, sums_;
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t rounds = 5, bytes = 1024, only = -1;
  bench::parse_options(argc, argv, "time of MPI's collectives",
                       {{"--rounds", &rounds, "calls, after one that does not count"},
                        {"--bytes", &bytes, "of a value, where it is a vector"},
                        {"--only", &only, "the number of one, from 0; all if left out"}});
  const bench::mpi_job job(argc, argv);
  all_calls calls(job.rank(), job.ranks(), static_cast<std::size_t>(bytes));
  const std::vector<collective> all = calls.list();
  bool right = true;
  for (std::size_t which = 0; which < all.size(); ++which) {
    if (only >= 0 && which != static_cast<std::size_t>(only)) continue;
    const collective& one = all[which];
    one.call();
    const bool verified = bench::all_ranks(one.check());
    right = right && verified;
    std::vector<double> us;
    for (std::int64_t r = 0; r < rounds; ++r) us.push_back(bench::time_of(one.call) * 1e6);
    if (job.rank() != 0) continue;
    bench::result_line line(one.name);
    line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("bytes", bytes).add("verified", verified);
    if (verified) {
      const bench::summary each = bench::summarize(us);
      line.add("us", each.median).add(each);
    }
    line.print();
  }
  return right ? 0 : 1;
}
