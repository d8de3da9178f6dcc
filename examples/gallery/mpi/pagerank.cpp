// PageRank by power iteration on a generated web: in each step a page gives its rank in equal parts to the pages that
// it links to. Pages are dealt to the ranks in turn. The links do not change, so the ranks tell each other once where
// they lead to; each step exchanges one value for each link. Ranks are integers, in units of 2^-32 of the mean rank, so
// that the sums do not depend on their order.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "examples/gallery/problem/pagerank.hpp"

std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> at(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), at.begin(), 0);
  return at;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::uint64_t pages = argc > 1 ? std::stoull(argv[1]) : 20'000;
  const auto me = static_cast<std::uint64_t>(rank), all = static_cast<std::uint64_t>(size);
  std::vector<rank_units> ranks((pages + all - 1 - me) / all, one);

  // For each rank, the links that lead there: from which page here, to which page there.
  std::vector<std::vector<std::uint32_t>> from(all), to(all);
  for (std::uint32_t p = 0; p < ranks.size(); ++p) {
    const std::uint64_t page = p * all + me;
    for (std::uint64_t i = 0; i < links_of(page); ++i) {
      const std::uint64_t target = link(page, i, pages);
      from[target % all].push_back(p);
      to[target % all].push_back(static_cast<std::uint32_t>(target / all));
    }
  }
  std::vector<int> send_counts(all), receive_counts(all);
  std::vector<std::uint32_t> sources, targets;
  for (std::size_t r = 0; r < all; ++r) {
    send_counts[r] = static_cast<int>(from[r].size());
    sources.insert(sources.end(), from[r].begin(), from[r].end());
    targets.insert(targets.end(), to[r].begin(), to[r].end());
  }
  MPI_Alltoall(send_counts.data(), 1, MPI_INT, receive_counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> send_at = offsets(send_counts), receive_at = offsets(receive_counts);
  std::vector<std::uint32_t> incoming(static_cast<std::size_t>(receive_at.back() + receive_counts.back()));
  MPI_Alltoallv(targets.data(), send_counts.data(), send_at.data(), MPI_UINT32_T, incoming.data(),
                receive_counts.data(), receive_at.data(), MPI_UINT32_T, MPI_COMM_WORLD);

  std::vector<rank_units> sent(sources.size()), received(incoming.size());
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < sent.size(); ++i)
      sent[i] = ranks[sources[i]] * 85 / 100 / links_of(sources[i] * all + me);
    MPI_Alltoallv(sent.data(), send_counts.data(), send_at.data(), MPI_UINT64_T, received.data(), receive_counts.data(),
                  receive_at.data(), MPI_UINT64_T, MPI_COMM_WORLD);
    std::fill(ranks.begin(), ranks.end(), one * 15 / 100);
    for (std::size_t i = 0; i < received.size(); ++i) ranks[incoming[i]] += received[i];
  }

  // The three best of each rank; a rank of 0 where it has fewer pages.
  struct ranked {
    rank_units rank;
    std::uint64_t page;
    bool operator>(const ranked& o) const { return rank != o.rank ? rank > o.rank : page > o.page; }
  };
  std::vector<ranked> best;
  for (std::size_t i = 0; i < ranks.size(); ++i) best.push_back({ranks[i], i * all + me});
  std::sort(best.begin(), best.end(), std::greater());
  best.resize(3);
  std::vector<ranked> best_of_each(3 * all);
  MPI_Gather(best.data(), 6, MPI_UINT64_T, best_of_each.data(), 6, MPI_UINT64_T, 0, MPI_COMM_WORLD);

  std::uint64_t totals[2] = {std::accumulate(ranks.begin(), ranks.end(), rank_units{0}), steps * sent.size()};
  MPI_Allreduce(MPI_IN_PLACE, totals, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const auto [sum, links] = totals;

  // What is lost is less than a unit for each division.
  const bool right = sum <= pages * one && sum + 2 * links + steps * pages >= pages * one;
  if (rank == 0) {
    std::sort(best_of_each.begin(), best_of_each.end(), std::greater());
    for (std::size_t i = 0; i < std::min<std::size_t>(pages, 3); ++i)
      std::printf("page %llu has rank %.6f\n", static_cast<unsigned long long>(best_of_each[i].page),
                  static_cast<double>(best_of_each[i].rank) / static_cast<double>(one));
    if (!right) std::printf("wrong: the ranks do not add up\n");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
