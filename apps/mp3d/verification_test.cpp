#include "apps/mp3d/verification.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mp3d {
namespace {

outcome of(std::int64_t in_stream, std::int64_t entered, std::int64_t left) {
  counters counted;
  counted.entered = entered;
  counted.left = left;
  return {counted, in_stream, 77};
}

TEST(Verification, LosesNoMolecule) {
  EXPECT_EQ(trouble_of(of(10, 0, 0), of(12, 5, 3)), "");
  EXPECT_EQ(trouble_of(of(10, 0, 0), of(11, 5, 3)),
            "11 molecules are in the stream; expected 12, from those that entered and left");
}

TEST(Verification, AsksForMomentumAndEnergy) {
  outcome ended = of(10, 0, 0);
  ended.counted.momentum_error = 0.9e-12;
  ended.counted.energy_error = 0.9e-12;
  EXPECT_EQ(trouble_of(of(10, 0, 0), ended), "");
  ended.counted.momentum_error = 2e-12;
  EXPECT_EQ(trouble_of(of(10, 0, 0), ended), "the momentum of a collision is kept to 2e-12, expected 1e-12");
  ended.counted.momentum_error = 0;
  ended.counted.energy_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(trouble_of(of(10, 0, 0), ended).find("the energy of a collision is kept to nan"), std::string::npos);
}

TEST(Verification, SeesEachDifference) {
  const outcome expected = of(10, 5, 3);
  EXPECT_EQ(difference(expected, expected), "");
  outcome ended = expected;
  ended.counted.collisions = 4;
  ended.digest = 78;
  EXPECT_EQ(difference(ended, expected), "collisions 4, expected 0; digest 78, expected 77");
  for (std::int64_t counters::* counter :
       {&counters::boundary_hits, &counters::plate_hits, &counters::entered, &counters::left}) {
    outcome other = expected;
    other.counted.*counter += 1;
    EXPECT_NE(difference(other, expected), "");
  }
}

// std::max would lose it.
TEST(Verification, AWorstErrorMayBeNoNumber) {
  counters bad, good;
  bad.energy_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE((good + bad).energy_error <= accepted_error);
  EXPECT_FALSE((bad + good).energy_error <= accepted_error);
}

}  // namespace
}  // namespace mp3d
