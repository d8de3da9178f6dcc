// What a PE's buffers take in jobs of many PEs, from the constants of the code: the rows of the table in
// docs/message.md. MPI's receives are those of ranks that share no memory, or of nodes of 64 ranks, whichever take
// more.
//
//   bench_buffers            the table
//   bench_buffers --json     a line of JSON
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "bench/report.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/transport/grid.hpp"
#include "tsubu/transport/mpi/credits.hpp"
#include "tsubu/transport/mpi/peer_ranks.hpp"

namespace {

using namespace tsubu;

constexpr int ranks_of_a_node = 64;

// The receives that PE 0 posts in a job of one PE a rank, of which so many share memory.
std::size_t bytes_of_receives(int pes, transport::grid_shape shape, std::size_t batch, int sharers) {
  const int links = transport::link_count(pes, shape);
  auto peers = static_cast<std::size_t>(links - 1);
  if (sharers > 1) {
    std::vector<int> node(static_cast<std::size_t>(std::min(pes, sharers)));
    std::iota(node.begin(), node.end(), 0);
    peers = transport::mpi::peer_ranks(pes, 1, shape, 0, node).count();
  }
  return transport::mpi::receive_count(peers, transport::mpi::credit_limit(peers, links, batch)) * batch;
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
  bench::result_line line("buffers");
  for (const int pes : {2, 16, 64, 1'000, 10'000, 100'000, 1'000'000}) {
    const transport::grid_shape shape = transport::usual_shape(pes);
    const int links = transport::link_count(pes, shape);
    const std::size_t batch = transport::usual_batch_bytes(links, shape.hops);
    const std::size_t own = message::endpoint::buffer_bytes(pes, shape);
    const std::size_t receives =
        std::max(bytes_of_receives(pes, shape, batch, 1), bytes_of_receives(pes, shape, batch, ranks_of_a_node));
    const double mib = 1 << 20;
    if (!json) {
      std::printf("| %d | %d | %d | %zu | %d | %.1f | %.1f |\n", pes, shape.hops, links, batch,
                  message::credit_window::batches_for(batch, links), static_cast<double>(own) / mib,
                  static_cast<double>(receives) / mib);
    } else {
      line.add("of_" + std::to_string(pes), static_cast<std::int64_t>(own + receives));
    }
  }
  if (json) line.print();
  return 0;
}
