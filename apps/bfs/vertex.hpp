// Vertices, edges, and which PE has a vertex.
#pragma once

#include <bit>
#include <cstdint>

#include "tsubu/base/types.hpp"

namespace bfs {

using vertex = std::uint32_t;
inline constexpr int most_bits = 31;  // a vertex has at most so many
inline constexpr vertex nobody = ~vertex{0};

struct edge {
  vertex from;
  vertex to;
  friend bool operator==(const edge&, const edge&) = default;
};

// Vertex v is number v / P of PE v % P: labels that lie close together are on different PEs.
class ownership {
 public:
  explicit ownership(tsubu::pe_id pes)
      : pes_(static_cast<vertex>(pes)),
        shift_(most_bits + static_cast<int>(std::bit_width(pes_ - 1))),
        reciprocal_(((std::uint64_t{1} << shift_) + pes_ - 1) / pes_) {}

  // v / P, as a product: exact below 2^31 (Granlund and Montgomery 1994, theorem 4.2).
  vertex index(vertex v) const { return static_cast<vertex>(v * reciprocal_ >> shift_); }
  tsubu::pe_id owner(vertex v) const { return static_cast<tsubu::pe_id>(v - index(v) * pes_); }
  vertex label(vertex index, tsubu::pe_id pe) const { return index * pes_ + static_cast<vertex>(pe); }

  // How many of `vertices` are on PE `pe`.
  std::size_t share(std::uint64_t vertices, tsubu::pe_id pe) const {
    return (vertices + pes_ - 1 - static_cast<std::uint64_t>(pe)) / pes_;
  }

 private:
  vertex pes_;
  int shift_;
  std::uint64_t reciprocal_;
};

}  // namespace bfs
