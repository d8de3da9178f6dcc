// The k-means method: 20 rounds that move the centres of 8 clusters of points in the plane. The argument is the number
// of points. Each PE owns a block of them and adds up those next to each centre; an all_reduce of the eight sums gives
// every PE the same new centres. Coordinates are integers, so the sums do not depend on the order of adding.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using namespace tsubu;

constexpr std::size_t clusters = 8;
constexpr int rounds = 20;

struct point {
  long x, y;
  bool operator==(const point&) const = default;
};

// The sum of the points next to one centre, and how many they are.
struct members {
  long x = 0, y = 0, count = 0;
  friend members operator+(members a, members b) { return {a.x + b.x, a.y + b.y, a.count + b.count}; }
};

std::uint64_t splitmix64(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// A millionth of the square's side is the unit. Each coordinate has the sum of two dice, so the middle is denser.
point make_point(long index) {
  const auto die = [index](int k) { return static_cast<long>(splitmix64(4 * index + k) % 500'000); };
  return {die(0) + die(1), die(2) + die(3)};
}

std::vector<members> assign(const std::vector<point>& points, const std::vector<point>& centres) {
  std::vector<members> sums(clusters);
  for (const point& p : points) {
    const auto distance = [&p](const point& c) { return (p.x - c.x) * (p.x - c.x) + (p.y - c.y) * (p.y - c.y); };
    members& sum = sums[std::ranges::min_element(centres, {}, distance) - centres.begin()];
    sum = sum + members{p.x, p.y, 1};
  }
  return sums;
}

std::vector<point> make_points(long begin, long end) {
  std::vector<point> points;
  for (long i = begin; i < end; ++i) points.push_back(make_point(i));
  return points;
}

// A centre that no point is next to stays where it is.
void recentre(std::vector<point>& centres, const std::vector<members>& sums) {
  for (std::size_t c = 0; c < clusters; ++c) {
    if (sums[c].count > 0) centres[c] = {sums[c].x / sums[c].count, sums[c].y / sums[c].count};
  }
}

task<int> program(arguments args) {
  const long n = args.size() > 1 ? std::stol(args[1]) : 300'000;
  const std::vector<point> points = make_points(n * this_pe() / pe_count(), n * (this_pe() + 1) / pe_count());

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
