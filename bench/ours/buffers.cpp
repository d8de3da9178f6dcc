// What a PE's buffers take in jobs of many PEs, from the constants of the code: the rows of the table in
// docs/message.md. MPI's receives are those of ranks that share no memory, or of nodes of 64 ranks, whichever take
// more. And what tables grow with the number of PEs, the second table there.
//
//   bench_buffers            the table
//   bench_buffers --json     a line of JSON
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "bench/report.hpp"
#include "tsubu/base/paged_array.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/ledger.hpp"
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

std::size_t pages_of(std::size_t pes) {
  constexpr std::size_t page = paged_array<int>::page_size;
  return (pes + page - 1) / page * sizeof(void*);
}

// What grows with the number of PEs, in bytes.
struct growing {
  const char* what;
  const char* where;
  std::size_t (*bytes)(std::size_t pes);
};
const growing tables[] = {
    {"places of links, in the outbox, its tuning and its window", "each PE",
     [](std::size_t pes) {
       const auto links = static_cast<std::size_t>(transport::link_count(
           static_cast<int>(pes), transport::usual_shape(static_cast<int>(pes), ranks_of_a_node)));
       return links * 3 * sizeof(std::uint16_t);
     }},
    {"messages by pair of PEs", "each PE",
     [](std::size_t pes) {
       return pes <= std::size_t{message::ledger::most_counted_pairs} ? pes * sizeof(message::exchange) : 0;
     }},
    {"pages of places that reads land in, for each size of values that is read", "PEs that read", pages_of},
    {"pages of waiting calls, for each type of answer", "PEs that call", pages_of},
    {"who keeps lines for the end", "PE 0, if any does", [](std::size_t pes) { return pes / 8; }},
    {"credits of peers, lanes and releases", "each PE on MPI",
     [](std::size_t pes) { return pes * (3 * sizeof(std::uint32_t) + sizeof(std::uint32_t) + sizeof(int)); }},
};

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
  for (const growing& table : tables) {
    if (json) break;
    std::printf("| %s | %s |", table.what, table.where);
    for (const std::size_t pes : {1'000U, 10'000U, 100'000U, 1'000'000U}) std::printf(" %zu |", table.bytes(pes));
    std::printf("\n");
  }
  if (json) line.print();
  return 0;
}
