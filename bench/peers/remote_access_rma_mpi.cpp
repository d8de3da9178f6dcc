// One access to another rank's memory at a time: a chain of indices that goes back and forth between two ranks, read by
// MPI_Get; and 1, 10 or 100 MPI_Puts of 8 bytes. Each is followed by MPI_Win_flush.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/peers/rma_window.hpp"
#include "bench/report.hpp"
#include "bench/workload.hpp"

namespace {

using window = bench::rma_window<std::int64_t>;

// Even elements of the chain lie on rank 0, odd ones on rank 1, each rank's in random order; an element is the place of
// the next one. A rank reads its own by MPI_Get, too.
std::vector<std::int64_t> order_of_chain(std::int64_t elements) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(elements / 2));
  std::iota(order.begin(), order.end(), 0);
  bench::random_source random(7);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
  return order;
}

std::int64_t get(const window& from, int rank, std::int64_t place) {
  std::int64_t value = 0;
  MPI_Get(&value, 1, MPI_INT64_T, rank, place, 1, MPI_INT64_T, from.get());
  MPI_Win_flush(rank, from.get());
  return value;
}

double follow(const window& chain, std::int64_t first, std::int64_t elements, bool& verified) {
  const double start = MPI_Wtime();
  std::int64_t at = first;
  for (std::int64_t i = 0; i < elements; ++i) at = get(chain, i % 2 == 0 ? 1 : 0, at);
  const double seconds = MPI_Wtime() - start;
  verified = verified && at == first;
  return seconds * 1e9 / static_cast<double>(elements / 2);
}

double put_and_wait(const window& to, std::int64_t puts, std::int64_t rounds, bool& verified) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(puts));
  const double start = MPI_Wtime();
  for (std::int64_t r = 0; r < rounds; ++r) {
    for (std::int64_t i = 0; i < puts; ++i) {
      values[static_cast<std::size_t>(i)] = r + i;
      MPI_Put(&values[static_cast<std::size_t>(i)], 1, MPI_INT64_T, 1, i, 1, MPI_INT64_T, to.get());
    }
    MPI_Win_flush(1, to.get());
  }
  const double seconds = MPI_Wtime() - start;
  verified = verified && get(to, 1, puts - 1) == rounds - 1 + puts - 1;
  return seconds * 1e9 / static_cast<double>(rounds);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t elements = 20'000, rounds = 5'000, repetitions = 21;
  bench::parse_options(argc, argv, "a chain of MPI_Gets between two ranks, and MPI_Puts with a flush",
                       {{"--elements", &elements, "of the chain, an even number"},
                        {"--rounds", &rounds, "of puts, each with its flush"},
                        {"--repetitions", &repetitions, "timed runs, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  if (job.ranks() != 2) {
    std::fprintf(stderr, "remote_access needs 2 ranks: it got %d\n", job.ranks());
    return 2;
  }
  std::vector<double> chain_ns, one, ten, hundred;
  bool verified = true;
  {
    const std::vector<std::int64_t> order = order_of_chain(elements);
    const auto half = order.size();
    const window chain(half), memory(100);
    // Even steps are on rank 1, odd ones on rank 0.
    for (std::size_t i = 0; i < half; ++i) chain.mine()[order[i]] = job.rank() == 1 ? order[i] : order[(i + 1) % half];
    chain.exchange();
    for (std::int64_t r = 0; r <= repetitions && job.rank() == 0; ++r) {
      const double of_chain = follow(chain, order[0], elements, verified);
      const double of_one = put_and_wait(memory, 1, rounds, verified);
      const double of_ten = put_and_wait(memory, 10, rounds, verified);
      const double of_hundred = put_and_wait(memory, 100, rounds, verified);
      if (r == 0) continue;
      chain_ns.push_back(of_chain);
      one.push_back(of_one);
      ten.push_back(of_ten);
      hundred.push_back(of_hundred);
    }
    memory.exchange();
  }
  if (job.rank() != 0) return 0;
  bench::result_line line("remote_access");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("verified", verified);
  if (verified) {
    line.add("chain_read_ns", bench::summarize(chain_ns).median);
    line.add("put_1_ns", bench::summarize(one).median).add("put_10_ns", bench::summarize(ten).median);
    line.add("put_100_ns", bench::summarize(hundred).median);
  }
  line.print();
  return verified ? 0 : 1;
}
