// Promise: an idle PE expects the last message again, from the third of its messages on where two are only counted; a
// PE that has no time to be idle predicts nothing, and logs all the same.
#include "tsubu/sim/prediction.hpp"

#include <gtest/gtest.h>

namespace tsubu::sim {
namespace {

using outcome = predictor::outcome;

constexpr message_form ping{8, 3}, pong{8, 4}, note{5, 3};

// Idle before the message.
outcome idle_then(predictor& p, const message_form& m) {
  p.predict();
  return p.take(m).of_prediction;
}

TEST(prediction, ten_pings) {
  for (const predicted what : {predicted::size, predicted::selector}) {
    predictor p(what, 2);
    EXPECT_FALSE(p.predict()) << "the object";
    EXPECT_FALSE(p.take(note).logged);
    EXPECT_FALSE(p.predict()) << "the start";
    EXPECT_FALSE(p.take(ping).logged);
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(p.predict()) << i;
      const predictor::taken t = p.take(ping);
      EXPECT_EQ(t.of_prediction, i == 0 ? outcome::miss : outcome::hit) << i << ": what was only counted is in no log";
      EXPECT_TRUE(t.logged) << i;
    }
    EXPECT_EQ(p.hits(), 9U);
    EXPECT_EQ(p.misses(), 1U);
  }
}

TEST(prediction, size_and_selector) {
  predictor size(predicted::size, 0), selector(predicted::selector, 0);
  EXPECT_EQ(idle_then(size, ping), outcome::miss) << "the log was empty";
  EXPECT_EQ(idle_then(selector, ping), outcome::miss);
  EXPECT_EQ(idle_then(size, pong), outcome::hit) << "of the same size";
  EXPECT_EQ(idle_then(selector, pong), outcome::miss) << "with another selector";
  EXPECT_EQ(idle_then(selector, pong), outcome::hit);
  EXPECT_EQ(idle_then(size, note), outcome::miss);
  EXPECT_EQ(idle_then(selector, ping), outcome::miss);
  EXPECT_EQ(idle_then(selector, note), outcome::miss) << "of another size, with the same selector";
}

TEST(prediction, once_while_idle) {
  predictor p(predicted::size, 0);
  EXPECT_TRUE(p.predict());
  EXPECT_FALSE(p.predict());
  EXPECT_EQ(p.take(ping).of_prediction, outcome::miss);
  EXPECT_EQ(p.take(ping).of_prediction, outcome::none) << "it was not idle since";
  EXPECT_TRUE(p.predict());
}

TEST(prediction, all_are_logged_and_the_last_one_counts) {
  predictor p(predicted::selector, 0);
  EXPECT_TRUE(p.take(ping).logged);
  EXPECT_TRUE(p.take(pong).logged);
  EXPECT_EQ(idle_then(p, pong), outcome::hit);
  EXPECT_EQ(p.hits() + p.misses(), 1U);
}

TEST(prediction, none) {
  predictor p(predicted::nothing, 0);
  EXPECT_FALSE(p.predict());
  const predictor::taken t = p.take(ping);
  EXPECT_EQ(t.of_prediction, outcome::none);
  EXPECT_FALSE(t.logged);
}

}  // namespace
}  // namespace tsubu::sim
