// Is it a breadth-first tree? The five checks of Graph500, made with the list of edges that the graph was built of, and
// not with the graph. A check that fails tells how often.
//
// Source: graph500.org, specification 2.0, "Validation".
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "apps/bfs/search.hpp"

namespace bfs {

enum check { no_cycles, tree_levels, edge_levels, spans_component, tree_in_graph };
inline constexpr std::size_t checks = 5;

// What has been found wrong, in the order of `check`.
inline constexpr std::array<std::string_view, checks> complaints = {
    "vertices do not lead to the root by their parents",
    "vertices are not one level below their parent",
    "edges join levels that differ by more than one, or a reached vertex and another",
    "edges leave the tree",
    "vertices are not joined with their parent by an edge",
};

struct verdict {
  std::array<std::uint64_t, checks> broken;
  std::uint64_t traversed;  // edges within the tree's component, repeated ones and self-loops included
  bool good() const { return broken == std::array<std::uint64_t, checks>{}; }
};

// `edges` of this PE, and what `search` has found; both must stay until the task ends. Two messages for each edge and
// some for each vertex. Collective; the same on every PE.
tsubu::task<verdict> validate(std::uint64_t vertices, std::span<const edge> edges, vertex root,
                              const search_tree& found);

}  // namespace bfs
