#include "apps/bfs/adjacency.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "apps/bfs/slices.hpp"
#include "tsubu/tsubu.hpp"

namespace bfs {

using namespace tsubu;

// Ends of edges as they arrive: the own vertex, by index, in the upper half of the word, and its neighbour in the
// lower.
using half_edge = std::uint64_t;
using half_edges = std::vector<half_edge, large_pages<half_edge>>;
static pe_local<half_edges> arrived;

void take_edge(vertex index, vertex neighbour) { arrived->push_back(half_edge{index} << 32 | neighbour); }

namespace {

void send_edges(std::span<const edge> edges, const ownership where) {
  for (const auto [from, to] : edges) {
    if (from == to) continue;
    at(where.owner(from)).past<take_edge>(where.index(from), to);
    at(where.owner(to)).past<take_edge>(where.index(to), from);
  }
}

// By least significant digits first (Knuth, vol. 3, 5.2.5): several passes that write to a few thousand places cost
// less than one that writes everywhere and a sort of each list.
void sort(half_edges& halves, std::uint64_t vertices, std::size_t own) {
  constexpr int most_digit_bits = 11;
  struct digit {
    int shift;
    int bits;
    std::vector<std::size_t> end;
    std::size_t of(half_edge h) const { return h >> shift & ((std::size_t{1} << bits) - 1); }
  };
  std::vector<digit> digits;
  const auto add_digits = [&digits](int shift, std::uint64_t numbers) {
    const int bits = static_cast<int>(std::bit_width(numbers - 1));
    const int count = (bits + most_digit_bits - 1) / most_digit_bits;
    for (int i = 0; i < count; ++i) {
      const int from = bits * i / count;
      const int width = bits * (i + 1) / count - from;
      digits.push_back({shift + from, width, std::vector<std::size_t>(std::size_t{1} << width)});
    }
  };
  add_digits(0, vertices);
  add_digits(32, own);

  for (const half_edge h : halves) {
    for (digit& d : digits) ++d.end[d.of(h)];
  }
  half_edges other(halves.size());
  for (digit& d : digits) {
    std::exclusive_scan(d.end.begin(), d.end.end(), d.end.begin(), std::size_t{0});
    for (const half_edge h : halves) other[d.end[d.of(h)]++] = h;
    halves.swap(other);
  }
}

void fill(adjacency& g, std::size_t own, half_edges& halves) {
  if (own != 0) sort(halves, g.vertices, own);
  g.first.assign(own + 1, 0);
  g.neighbours.reserve(halves.size());
  half_edge before = ~half_edge{0};
  for (const half_edge h : halves) {
    if (h == before) continue;
    g.neighbours.push_back(static_cast<vertex>(h));
    g.first[(h >> 32) + 1] = g.neighbours.size();
    before = h;
  }
  // Vertices without neighbours.
  for (std::size_t i = 0; i < own; ++i) g.first[i + 1] = std::max(g.first[i], g.first[i + 1]);
}

}  // namespace

task<adjacency> make_adjacency(std::uint64_t vertices, std::span<const edge> edges) {
  adjacency g{vertices, ownership(pe_count()), {}, {}};
  arrived->reserve(2 * edges.size());  // if the PEs get equally many
  for (const auto some : slices(edges)) {
    send_edges(some, g.where);
    co_await room_everywhere();
  }
  co_await quiescence();
  fill(g, g.where.share(vertices, this_pe()), *arrived);
  half_edges().swap(*arrived);
  co_return g;
}

}  // namespace bfs
