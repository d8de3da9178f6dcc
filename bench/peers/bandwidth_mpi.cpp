// Large messages one way, from rank 0 to rank 1: a window of them at once, each to its own place, then one short
// message back. What a bulk put that is acknowledged costs on MPI.
//
// As in our own benchmark the sender writes fresh data before each window, and the clock starts behind that: so on both
// sides what is sent lies in the sender's caches as it does when a program has just computed it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/peers/mpi_job.hpp"
#include "bench/report.hpp"

namespace {

struct shape {
  int bytes;   // of a message
  int window;  // messages in flight
};

void send_window(const shape& s, std::vector<unsigned char>& data, std::vector<MPI_Request>& requests) {
  for (int i = 0; i < s.window; ++i)
    MPI_Isend(data.data() + static_cast<std::ptrdiff_t>(i) * s.bytes, s.bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD,
              &requests[static_cast<std::size_t>(i)]);
  MPI_Waitall(s.window, requests.data(), MPI_STATUSES_IGNORE);
  MPI_Recv(nullptr, 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void receive_window(const shape& s, std::vector<unsigned char>& data, std::vector<MPI_Request>& requests) {
  for (int i = 0; i < s.window; ++i)
    MPI_Irecv(data.data() + static_cast<std::ptrdiff_t>(i) * s.bytes, s.bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
              &requests[static_cast<std::size_t>(i)]);
  MPI_Waitall(s.window, requests.data(), MPI_STATUSES_IGNORE);
  MPI_Send(nullptr, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

// All bytes of a window are alike, and those of the next are not.
unsigned char content(std::int64_t window) { return static_cast<unsigned char>(window % 251 + 1); }

}  // namespace

int main(int argc, char** argv) {
  std::int64_t bytes = 1 << 20, window = 16, repetitions = 21;
  bench::parse_options(argc, argv, "large messages one way between two MPI ranks",
                       {{"--bytes", &bytes, "of a message"},
                        {"--window", &window, "messages sent before one waits for the acknowledgement"},
                        {"--repetitions", &repetitions, "windows, after one untimed; their median is reported"}});
  bench::mpi_job job(argc, argv);
  if (job.ranks() < 2) {
    std::fprintf(stderr, "bandwidth needs 2 ranks: it got %d\n", job.ranks());
    return 2;
  }
  const shape s{static_cast<int>(bytes), static_cast<int>(window)};
  std::vector<unsigned char> data(static_cast<std::size_t>(bytes * window), 0);
  std::vector<MPI_Request> requests(static_cast<std::size_t>(window));

  std::vector<double> rates;
  bool right = true;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    if (job.rank() == 0) std::fill(data.begin(), data.end(), content(r));
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (job.rank() == 0) send_window(s, data, requests);
    if (job.rank() == 1) receive_window(s, data, requests);
    if (r > 0) rates.push_back(static_cast<double>(bytes * window) / (MPI_Wtime() - start) * 1e-6);
    if (job.rank() == 1) right = right && data.front() == content(r) && data.back() == content(r);
  }
  if (job.rank() == 1)
    right = right && std::all_of(data.begin(), data.end(), [&](unsigned char b) { return b == content(repetitions); });
  const bool verified = bench::all_ranks(right);
  if (job.rank() != 0) return verified ? 0 : 1;

  bench::result_line line("bandwidth");
  line.add("peer", BENCH_MPI).add("pes", job.ranks()).add("bytes", bytes).add("window", window);
  line.add("verified", verified);
  if (verified) {
    const bench::summary summary = bench::summarize(rates);
    line.add("megabytes_per_second", summary.median).add(summary);
  }
  line.print();
  return verified ? 0 : 1;
}
