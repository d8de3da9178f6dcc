#include "apps/mp3d/pairing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "apps/mp3d/random.hpp"

namespace mp3d {
namespace {

const gas dense(1, 1);  // of so few molecules that all pairs collide

std::vector<visitor> visitors(std::int64_t count) {
  std::vector<visitor> all;
  tsubu::random_source random(6);
  for (std::int64_t i = 0; i < count; ++i) all.push_back({3 * i, normal(random)});
  return all;
}

TEST(Pairing, EachHasOnePartnerAtMost) {
  for (const std::int64_t count : {0, 1, 2, 3, 10, 11}) {
    counters counted;
    const std::vector<visitor> changed = meet(dense, 1, visitors(count), counted);
    std::set<std::int64_t> numbers;
    for (const visitor& v : changed) numbers.insert(v.number);
    EXPECT_EQ(numbers.size(), changed.size());
    EXPECT_EQ(counted.collisions, count / 2);
    EXPECT_EQ(static_cast<std::int64_t>(changed.size()), count / 2 * 2);
  }
}

// They come in one order on one PE, and in another on eight.
TEST(Pairing, DoesNotDependOnTheOrderOfArrival) {
  std::vector<visitor> all = visitors(11);
  const auto velocities = [&] {
    std::map<std::int64_t, std::array<double, 3>> found;
    counters counted;
    for (const visitor& v : meet(dense, 5, all, counted)) found[v.number] = {v.velocity.x, v.velocity.y, v.velocity.z};
    return found;
  };
  const auto expected = velocities();
  for (int i = 0; i < 20; ++i) {
    std::next_permutation(all.begin(), all.end(),
                          [](const visitor& a, const visitor& b) { return a.number < b.number; });
    EXPECT_EQ(velocities(), expected);
  }
  std::reverse(all.begin(), all.end());
  EXPECT_EQ(velocities(), expected);
}

// Among four, each is the partner of each other in a third of the steps.
TEST(Pairing, ChangesPartnersFromStepToStep) {
  constexpr int steps = 3000;
  const std::vector<visitor> all = visitors(4);
  std::map<std::int64_t, int> partners;
  for (int step = 1; step <= steps; ++step) {
    counters counted;
    const std::vector<visitor> changed = meet(dense, step, all, counted);
    for (std::size_t i = 0; i < changed.size(); ++i)
      if (changed[i].number == 0) ++partners[changed[i ^ 1].number];
  }
  EXPECT_EQ(partners.size(), 3U);
  for (const auto& [number, times] : partners)
    EXPECT_NEAR(times, steps / 3.0, 5 * std::sqrt(steps * 2 / 9.0)) << number;
}

}  // namespace
}  // namespace mp3d
