// PageRank by power iteration: in each step a page shares its rank among the pages that it links to. A surfer follows a
// link with a probability, the damping, and goes to any page else; also from one without links.
//
// Source: Page, Brin, Motwani, Winograd, The PageRank citation ranking, Stanford 1999.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "apps/pagerank/links.hpp"
#include "apps/pagerank/weight_exchange.hpp"
#include "apps/program/progress.hpp"
#include "tsubu/tsubu.hpp"

namespace pagerank {

// When to stop: after so many steps, or when the ranks of all pages together change by no more than a tolerance that is
// not 0.
struct rules {
  double damping = 0.85;
  std::int64_t steps = 20;
  double tolerance = 0;
};

struct ranking {
  std::vector<double> rank;  // they add up to 1
  std::int64_t steps = 0;
  double change = std::numeric_limits<double>::infinity();  // in the last step: the sum of all changes
};

// The ranks of this PE's pages. What is pointed to must live until the task has ended. Collective.
tsubu::task<ranking> rank_pages(const links* of, weight_exchange* exchange, rules by, program::progress* shown);

// Those of all pages of a graph that is on this PE as a whole. Local.
ranking rank_alone(const graph::sparse_rows& graph, rules by);

}  // namespace pagerank
