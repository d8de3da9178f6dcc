// The k-means method: 20 rounds that move the centres of 8 clusters of points in the plane. The argument is the number
// of points. Each PE owns a block of them and adds up those next to each centre; an all_reduce of the eight sums gives
// every PE the same new centres. Coordinates are integers, so the sums do not depend on the order of adding.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/k_means.hpp"

using namespace tsubu;

task<int> program(arguments args) {
  const long n = args.number(1, 300'000L);
  const std::vector<point> points = make_points(part_of(n).from(), part_of(n).to());

  std::vector<point> centres = make_points(0, clusters);
  for (int round = 0; round < rounds; ++round)
    recentre(centres, co_await all_reduce(assign(points, centres), reduce::plus));
  if (this_pe() != 0) co_return 0;

  std::printf("%ld points, %d rounds, centres:", n, rounds);
  for (const point& c : centres) {
    std::printf(" (%.3f, %.3f)", 1e-6 * static_cast<double>(c.x), 1e-6 * static_cast<double>(c.y));
  }
  std::printf("\n");

  // The same on one PE.
  const std::vector<point> all = make_points(0, n);
  std::vector<point> alone = make_points(0, clusters);
  for (int round = 0; round < rounds; ++round) recentre(alone, assign(all, alone));
  if (centres == alone) co_return 0;
  std::printf("One PE alone finds other centres.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
