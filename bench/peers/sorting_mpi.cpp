// Numbers or texts that lie on all ranks, sorted by hand: each rank sorts its own, 64 samples of each tell where they
// are cut, MPI_Alltoallv exchanges the parts, and what comes is merged. The parts stay as unequal as the samples leave
// them. On one rank it is std::sort alone.
//
// Texts travel as their lengths and their letters.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"
#include "bench/sort_workload.hpp"

namespace {

std::size_t bytes_of(const std::vector<std::uint64_t>& keys, std::size_t begin, std::size_t end) {
  return (end - begin) * sizeof keys[0];
}
std::size_t bytes_of(const std::vector<std::string>& keys, std::size_t begin, std::size_t end) {
  std::size_t bytes = 0;
  for (std::size_t i = begin; i < end; ++i) bytes += 1 + keys[i].size();
  return bytes;
}
void pack(const std::vector<std::uint64_t>& keys, std::size_t begin, std::size_t end, char* to) {
  std::memcpy(to, keys.data() + begin, bytes_of(keys, begin, end));
}
void pack(const std::vector<std::string>& keys, std::size_t begin, std::size_t end, char* to) {
  for (std::size_t i = begin; i < end; ++i) {
    *to++ = static_cast<char>(keys[i].size());
    to = std::copy(keys[i].begin(), keys[i].end(), to);
  }
}
void unpack(std::span<const char> from, std::vector<std::uint64_t>& to) {
  to.resize(from.size() / sizeof to[0]);
  std::memcpy(to.data(), from.data(), from.size());
}
void unpack(std::span<const char> from, std::vector<std::string>& to) {
  for (std::size_t at = 0; at < from.size();) {
    const auto size = static_cast<std::size_t>(from[at]);
    to.emplace_back(&from[at + 1], size);
    at += 1 + size;
  }
}

// Collective: what each rank has for each, exchanged: a vector of each rank.
template <class T>
std::vector<std::vector<T>> exchange(const std::vector<T>& sorted, const std::vector<std::size_t>& ends) {
  const std::size_t ranks = ends.size();
  std::vector<int> sizes(ranks), first(ranks), arriving(ranks), from(ranks);
  for (std::size_t r = 0, begin = 0; r < ranks; begin = ends[r++])
    sizes[r] = static_cast<int>(bytes_of(sorted, begin, ends[r]));
  std::exclusive_scan(sizes.begin(), sizes.end(), first.begin(), 0);
  std::vector<char> out(static_cast<std::size_t>(first.back() + sizes.back()));
  for (std::size_t r = 0, begin = 0; r < ranks; begin = ends[r++]) pack(sorted, begin, ends[r], out.data() + first[r]);
  MPI_Alltoall(sizes.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(arriving.begin(), arriving.end(), from.begin(), 0);
  std::vector<char> in(static_cast<std::size_t>(from.back() + arriving.back()));
  MPI_Alltoallv(out.data(), sizes.data(), first.data(), MPI_CHAR, in.data(), arriving.data(), from.data(), MPI_CHAR,
                MPI_COMM_WORLD);
  std::vector<std::vector<T>> come(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    unpack(std::span<const char>(in.data() + from[r], static_cast<std::size_t>(arriving[r])), come[r]);
  return come;
}

template <class T>
std::vector<T> merge(std::vector<std::vector<T>> runs) {
  std::vector<T> merged = std::move(runs.front());
  for (std::size_t r = 1; r < runs.size(); ++r) {
    std::vector<T> both;
    both.reserve(merged.size() + runs[r].size());
    std::merge(std::make_move_iterator(merged.begin()), std::make_move_iterator(merged.end()),
               std::make_move_iterator(runs[r].begin()), std::make_move_iterator(runs[r].end()),
               std::back_inserter(both));
    merged = std::move(both);
  }
  return merged;
}

template <class T>
std::vector<T> sort(std::vector<T> mine, std::size_t ranks) {
  constexpr std::size_t samples_of_rank = 64;
  std::sort(mine.begin(), mine.end());
  if (ranks == 1) return mine;
  std::vector<T> samples;
  for (std::size_t i = 0; i < samples_of_rank; ++i)
    samples.push_back(mine[(2 * i + 1) * mine.size() / (2 * samples_of_rank)]);
  std::vector<T> all;
  for (std::vector<T>& of_rank :
       exchange(std::vector<T>(samples), std::vector<std::size_t>(ranks, samples.size()))) {  // to rank 0
    std::ranges::move(of_rank, std::back_inserter(all));
  }
  std::vector<T> cuts;
  if (!all.empty()) {
    std::ranges::sort(all);
    for (std::size_t r = 1; r < ranks; ++r) cuts.push_back(all[r * all.size() / ranks]);
  }
  // From rank 0 to all: every rank sends each other what it has for it, and only rank 0 has cuts.
  std::vector<T> repeated;
  std::vector<std::size_t> ends(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    repeated.insert(repeated.end(), cuts.begin(), cuts.end());
    ends[r] = repeated.size();
  }
  cuts = exchange(repeated, ends).front();
  for (std::size_t r = 0; r < ranks; ++r)
    ends[r] =
        r + 1 == ranks ? mine.size() : static_cast<std::size_t>(std::ranges::lower_bound(mine, cuts[r]) - mine.begin());
  return merge(exchange(mine, ends));
}

template <class T>
double timed(const bench::mpi_job& job, std::size_t count, bool& verified) {
  std::vector<T> mine = bench::make_sort_keys<T>(count, static_cast<std::size_t>(job.rank()));
  const std::uint64_t before = bench::sum_over_ranks(bench::sum_of(mine));
  std::vector<T> share;
  const double seconds = bench::time_of([&] { share = sort(std::move(mine), static_cast<std::size_t>(job.ranks())); });
  const bool here = std::ranges::is_sorted(share);
  verified = bench::all_ranks(here) && bench::sum_over_ranks(bench::sum_of(share)) == before && verified;
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t elements = 10'000'000, repetitions = 3;
  std::string what = "numbers";
  bench::parse_options(argc, argv, "a sample sort by hand",
                       {{"--what", &what, "numbers or texts"},
                        {"--elements", &elements, "of all ranks"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  std::vector<double> seconds;
  bool verified = true;
  const auto count = static_cast<std::size_t>(elements / job.ranks());
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const double once =
        what == "texts" ? timed<std::string>(job, count, verified) : timed<std::uint64_t>(job, count, verified);
    if (r > 0) seconds.push_back(once);
  }
  if (job.rank() != 0) return 0;
  bench::result_line line("sorting");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("what", what).add("verified", verified);
  if (verified) line.add("seconds", bench::summarize(seconds).median);
  line.print();
  return verified ? 0 : 1;
}
