// The Kronecker graphs of Graph500: 2^scale vertices, edgefactor 2^scale edges, most of them among few vertices.
//
// Source: graph500.org, specification 2.0, "Generating the edge list"; the scrambling of the labels is that of its
// reference code.
#pragma once

#include "apps/bfs/vertex.hpp"

namespace bfs {

class kronecker {
 public:
  static constexpr double a = 0.57, b = 0.19, c = 0.19;

  // 1 <= scale <= most_bits.
  kronecker(int scale, int edgefactor, std::uint64_t seed);

  std::uint64_t vertices() const { return std::uint64_t{1} << scale_; }
  std::uint64_t edges() const { return static_cast<std::uint64_t>(edgefactor_) << scale_; }

  // The edge of that number, the same whoever asks.
  edge edge_at(std::uint64_t number) const;

  // The labels in another order, so that a label tells nothing of a vertex's degree. A bijection.
  vertex scrambled(vertex v) const;

 private:
  int scale_;
  int edgefactor_;
  std::uint64_t first_seed_;  // of edge 0
  std::uint64_t scramble_[2];
};

}  // namespace bfs
