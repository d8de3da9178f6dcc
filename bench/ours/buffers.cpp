// What a PE's buffers take in jobs of many PEs, from the constants of the code: the rows of the table in
// docs/message.md.
//
//   bench_buffers            the table
//   bench_buffers --json     a line of JSON
#include <cstdio>
#include <cstring>

#include "bench/report.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/transport/grid.hpp"
#include "tsubu/transport/mpi/credits.hpp"

int main(int argc, char** argv) {
  using namespace tsubu;
  const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  bench::result_line line("buffers");
  for (const int pes : {2, 16, 64, 1'000, 10'000, 100'000, 1'000'000}) {
    const int hops = transport::usual_hops(pes);
    const int links = transport::link_count(pes, hops);
    const std::size_t batch = transport::usual_batch_bytes(links);
    const std::size_t own = message::endpoint::buffer_bytes(pes, hops);
    const auto peers = static_cast<std::size_t>(links - 1);
    const std::size_t receives =
        transport::mpi::receive_count(peers, transport::mpi::credit_limit(peers, batch)) * batch;
    const double mib = 1 << 20;
    if (!json) {
      std::printf("| %d | %d | %d | %zu | %d | %.1f | %.1f |\n", pes, hops, links, batch,
                  message::credit_window::batches_for(batch, links), static_cast<double>(own) / mib,
                  static_cast<double>(receives) / mib);
    } else {
      line.add("of_" + std::to_string(pes), static_cast<std::int64_t>(own + receives));
    }
  }
  if (json) line.print();
  return 0;
}
