// The k-means method: 20 rounds that move the centres of 8 clusters of points in the plane. The argument is the number
// of points. Each rank owns a block of them and adds up those next to each centre; MPI_Allreduce of the eight sums
// gives every rank the same new centres. Coordinates are integers, so the sums do not depend on the order of adding.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr std::size_t clusters = 8;
constexpr int rounds = 20;

struct point {
  long x, y;
  bool operator==(const point&) const = default;
};

// The sum of the points next to one centre, and how many they are.
struct members {
  long x = 0, y = 0, count = 0;
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
    sum = {sum.x + p.x, sum.y + p.y, sum.count + 1};
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const long n = argc > 1 ? std::stol(argv[1]) : 300'000;
  const std::vector<point> points = make_points(n * rank / ranks, n * (rank + 1) / ranks);

  std::vector<point> centres = make_points(0, clusters);
  for (int round = 0; round < rounds; ++round) {
    std::vector<members> sums = assign(points, centres);
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3 * clusters, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    recentre(centres, sums);
  }

  bool right = true;
  if (rank == 0) {
    std::printf("%ld points, %d rounds, centres:", n, rounds);
    for (const point& c : centres) {
      std::printf(" (%.3f, %.3f)", 1e-6 * static_cast<double>(c.x), 1e-6 * static_cast<double>(c.y));
    }
    std::printf("\n");

    // The same on one PE.
    const std::vector<point> all = make_points(0, n);
    std::vector<point> alone = make_points(0, clusters);
    for (int round = 0; round < rounds; ++round) recentre(alone, assign(all, alone));
    right = centres == alone;
    if (!right) std::printf("One rank alone finds other centres.\n");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
