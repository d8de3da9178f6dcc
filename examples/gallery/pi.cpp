// An estimate of pi: of random points in a square, how many lie in the quarter of a circle? The argument is the number
// of points. The coordinates of each are a hash of its index, so it does not matter which PE looks at which points: one
// PE opens the loop over all of them, and whoever has nothing to do takes a share.
#include <tsubu/tsubu.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <ranges>
#include <string>

#include "examples/gallery/problem/pi.hpp"

using namespace tsubu;

task<int> program(arguments args) {
  const long points = args.number(1, 10'000'000L);
  const long inside = co_await parallel_reduce(std::views::iota(0L, points), 1000, reduce::plus,
                                               [](long i) { return is_inside(i) ? 1L : 0L; });
  const double estimate = 4 * static_cast<double>(inside) / static_cast<double>(points);
  std::printf("%ld of %ld points are inside: pi is about %.6f\n", inside, points, estimate);

  // Five standard deviations; and the known count, which a point that is lost or counted twice would change.
  const bool near = std::abs(estimate - std::numbers::pi) < 5 * 1.65 / std::sqrt(static_cast<double>(points));
  if (near && (points != 10'000'000 || inside == 7'852'392)) co_return 0;
  std::printf("That is not the count it should be.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
