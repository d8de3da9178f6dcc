#include "apps/mp3d/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace mp3d {
namespace {

TEST(Random, FollowsFromWhatItIsFor) {
  EXPECT_EQ(draw(1, purpose::ticket, 2, 3)(), draw(1, purpose::ticket, 2, 3)());
  std::set<std::uint64_t> drawn;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (const purpose what : {purpose::beginning, purpose::reservoir, purpose::ticket, purpose::collision})
      for (std::int64_t number = 0; number < 5; ++number)
        for (std::int64_t step = 0; step < 5; ++step) drawn.insert(draw(seed, what, number, step)());
  EXPECT_EQ(drawn.size(), 5U * 4 * 5 * 5);
}

// Means over consecutive molecules, of the first numbers drawn for each: those that the simulation uses.
struct means {
  vector3 first, second;  // of the components, and of their squares
  double products = 0;    // of different components
};

template <class F>
means means_of(F one, int count) {
  means of;
  for (int i = 0; i < count; ++i) {
    tsubu::random_source random = draw(7, purpose::beginning, i, 0);
    const vector3 v = one(random);
    of.first = of.first + 1.0 / count * v;
    of.second = of.second + 1.0 / count * vector3{v.x * v.x, v.y * v.y, v.z * v.z};
    of.products += (v.x * v.y + v.y * v.z + v.z * v.x) / count;
  }
  return of;
}

TEST(Random, NormalHasMean0AndVariance1) {
  constexpr int count = 100'000;
  const means of = means_of(normal, count);
  const double sigma = 1 / std::sqrt(count);
  for (const double mean : {of.first.x, of.first.y, of.first.z}) EXPECT_NEAR(mean, 0, 5 * sigma);
  for (const double variance : {of.second.x, of.second.y, of.second.z}) EXPECT_NEAR(variance, 1, 5 * 1.5 * sigma);
  EXPECT_NEAR(of.products, 0, 5 * 1.8 * sigma);
}

TEST(Random, DirectionsAreIsotropic) {
  constexpr int count = 100'000;
  const means of = means_of(direction, count);
  const double sigma = 1 / std::sqrt(count);
  for (const double mean : {of.first.x, of.first.y, of.first.z}) EXPECT_NEAR(mean, 0, 5 * sigma);
  for (const double square : {of.second.x, of.second.y, of.second.z}) EXPECT_NEAR(square, 1.0 / 3, 5 * 0.3 * sigma);
  EXPECT_NEAR(of.products, 0, 5 * sigma);
  tsubu::random_source random(3);
  for (int i = 0; i < 100; ++i) {
    const vector3 v = direction(random);
    EXPECT_NEAR(dot(v, v), 1, 1e-15);
  }
}

}  // namespace
}  // namespace mp3d
