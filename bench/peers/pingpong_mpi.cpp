// The round trip of one small message between ranks 0 and 1: MPI_Send and MPI_Recv, both ways.
#include <cstdio>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

int main(int argc, char** argv) {
  std::int64_t bytes = 8, blocks = 200, block = 1000;
  bench::parse_options(argc, argv, "round trip of one message between two MPI ranks",
                       {{"--bytes", &bytes, "of a message, 8 at least"},
                        {"--blocks", &blocks, "measurements; their median is reported"},
                        {"--block", &block, "round trips of a measurement"}});
  bench::mpi_job job(argc, argv);
  if (job.ranks() < 2 || bytes < 8) {
    std::fprintf(stderr, "pingpong needs 2 ranks and 8 bytes: it got %d and %d\n", job.ranks(),
                 static_cast<int>(bytes));
    return 2;
  }
  const int size = static_cast<int>(bytes);
  std::vector<std::int64_t> message(static_cast<std::size_t>(bytes / 8 + 1), 0);
  const auto send = [&](int to) { MPI_Send(message.data(), size, MPI_BYTE, to, 0, MPI_COMM_WORLD); };
  const auto receive = [&](int from) {
    MPI_Recv(message.data(), size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };

  std::vector<double> nanoseconds;
  for (std::int64_t b = -blocks / 10; b < blocks && job.rank() < 2; ++b) {  // the negative ones warm up
    const double start = MPI_Wtime();
    for (std::int64_t i = 0; i < block; ++i) {
      if (job.rank() == 0) {
        send(1);
        receive(1);
      } else {
        receive(0);
        ++message[0];
        send(0);
      }
    }
    if (b >= 0) nanoseconds.push_back((MPI_Wtime() - start) * 1e9 / static_cast<double>(block));
  }
  if (job.rank() != 0) return 0;

  const bool verified = message[0] == (blocks + blocks / 10) * block;
  bench::result_line line("pingpong");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("bytes", bytes).add("verified", verified);
  if (verified) {
    const bench::summary times = bench::summarize(nanoseconds);
    line.add("round_trip_ns", times.median).add(times);
  }
  line.print();
  return verified ? 0 : 1;
}
