// Promise: the sequential program gives the ranks that a graph has by their definition, and sums over blocks are those
// over links. Method: graphs whose ranks can be worked out by hand; and random ones from a file, with links from pages
// to themselves, repeated links and pages without any, whose ranks Gauss's elimination finds from the lines of the
// file.
#include "apps/pagerank/ranks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <set>

#include "apps/pagerank/web.hpp"

namespace pagerank {
namespace {

graph::sparse_rows graph_of(vertex pages, std::vector<graph::entry> links) {
  return graph::assemble({}, pages, pages, std::move(links), graph::repeats::keep_least);
}

const rules to_the_end{.damping = 0.85, .steps = 1000, .tolerance = 1e-15};

TEST(Ranks, AreEqualOnARing) {
  const ranking found = rank_alone(graph_of(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}}), to_the_end);
  for (const double rank : found.rank) EXPECT_NEAR(rank, 0.25, 1e-15);
}

// Two pages link to a third, and that to none. A leaf has a = (1 - d) / 3 + d c / 3, the hub c = a + 2 d a.
TEST(Ranks, OfAStar) {
  const ranking found = rank_alone(graph_of(3, {{0, 2, 1}, {1, 2, 1}}), to_the_end);
  const double leaf = 1 / (3 + 2 * 0.85);
  EXPECT_NEAR(found.rank[0], leaf, 1e-14);
  EXPECT_NEAR(found.rank[1], leaf, 1e-14);
  EXPECT_NEAR(found.rank[2], 1 - 2 * leaf, 1e-14);
}

// A page that links to itself keeps that part of its rank: half, and the other page, which has no links, shares its own
// among both.
TEST(Ranks, OfALoop) {
  const ranking found = rank_alone(graph_of(2, {{0, 0, 1}, {0, 1, 1}}), to_the_end);
  EXPECT_NEAR(found.rank[0], 0.5, 1e-14);
  EXPECT_NEAR(found.rank[1], 0.5, 1e-14);
}

// The ranks x of which x(v) = (1 - d) / n + d sum over u of share(u, v) x(u): share(u, v) is 1 / (links of u) if u
// links to v, 1 / n if u links to nobody. Knows nothing of steps, nor of what reads and ranks in this program.
std::vector<double> by_elimination(std::size_t n, const std::set<std::pair<std::size_t, std::size_t>>& links,
                                   double d) {
  std::vector<std::size_t> outgoing(n);
  for (const auto& [from, to] : links) ++outgoing[from];
  std::vector<std::vector<double>> a(n, std::vector<double>(n + 1));  // the last column is the right-hand side
  for (std::size_t v = 0; v < n; ++v) {
    a[v][n] = (1 - d) / static_cast<double>(n);
    for (std::size_t u = 0; u < n; ++u) {
      const double share = outgoing[u] == 0         ? 1 / static_cast<double>(n)
                           : links.contains({u, v}) ? 1 / static_cast<double>(outgoing[u])
                                                    : 0;
      a[v][u] = (u == v ? 1 : 0) - d * share;
    }
  }
  // I - d S is dominated by the diagonal of its columns: no pivot need be looked for.
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    for (std::size_t row = 0; row < n; ++row) {
      if (row == pivot) continue;
      const double factor = a[row][pivot] / a[pivot][pivot];
      for (std::size_t k = pivot; k <= n; ++k) a[row][k] -= factor * a[pivot][k];
    }
  }
  std::vector<double> x(n);
  for (std::size_t v = 0; v < n; ++v) x[v] = a[v][n] / a[v][v];
  return x;
}

TEST(Ranks, OfFilesAreThoseOfTheDefinition) {
  const std::string name = testing::TempDir() + "tsubu_ranks_test." + std::to_string(::getpid());
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    const std::size_t pages = 2 + random() % 20, lines = random() % (2 * pages) + 1;
    std::set<std::pair<std::size_t, std::size_t>> links;
    std::ofstream out(name);
    out << "%%MatrixMarket matrix coordinate pattern general\n" << pages << ' ' << pages << ' ' << lines << '\n';
    for (std::size_t i = 0; i < lines; ++i) {
      const std::size_t from = random() % pages, to = random() % 3 == 0 ? from : random() % pages;
      links.insert({from, to});
      out << from + 1 << ' ' << to + 1 << '\n';
    }
    out.close();
    web of;
    of.from.file = name;
    const ranking found = rank_alone(of.whole(), to_the_end);
    const std::vector<double> expected = by_elimination(pages, links, to_the_end.damping);
    for (std::size_t v = 0; v < pages; ++v) EXPECT_NEAR(found.rank[v], expected[v], 1e-13) << "seed " << seed;
  }
  ::unlink(name.c_str());
}

TEST(Ranks, WithoutLinksAreEqual) {
  const ranking found = rank_alone(graph_of(5, {}), to_the_end);
  EXPECT_EQ(found.steps, 1);
  for (const double rank : found.rank) EXPECT_NEAR(rank, 0.2, 1e-15);
}

TEST(Ranks, StopAfterTheSteps) {
  const auto star = graph_of(3, {{0, 2, 1}, {1, 2, 1}});
  EXPECT_EQ(rank_alone(star, {.damping = 0, .steps = 7, .tolerance = 0}).steps, 7);
  const ranking found = rank_alone(star, {.damping = 0.5, .steps = 1, .tolerance = 0});
  EXPECT_EQ(found.steps, 1);
  // (1 - d) / 3 + d / 9 for the leaves, and d 2 / 3 more for the hub.
  EXPECT_NEAR(found.rank[0], 0.5 / 3 + 0.5 / 9, 1e-15);
  EXPECT_NEAR(found.rank[2], 0.5 / 3 + 0.5 / 9 + 1.0 / 3, 1e-15);
  EXPECT_NEAR(std::accumulate(found.rank.begin(), found.rank.end(), 0.0), 1, 1e-15);
}

TEST(Links, WeightsAreAddedToTheirPages) {
  const link_block block{.to = {1, 4}, .start = {0, 2, 5}, .from = {0, 3, 1, 1, 2}};
  const double weights[] = {1, 10, 100, 1000};
  double sums[] = {0, 0.5, 0, 0, 0, 0};
  add_weights(block, weights, sums);
  const double expected[] = {0, 1001.5, 0, 0, 120, 0};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(sums[i], expected[i]) << i;
}

}  // namespace
}  // namespace pagerank
