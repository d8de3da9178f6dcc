#include "tsubu/data/profile/predicted_gain.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tsubu::data {
namespace {

constexpr traffic ten_trips = {20, 0, 10};

struct seen_phase {
  std::int64_t span_ns;
  std::int64_t waited_ns = 0;  // for reads
  std::int64_t idle_ns = 0;
};

// Has waited for reads, of which none would take a message any more.
pe_waits reader(std::initializer_list<seen_phase> all) {
  pe_waits pe;
  phases between;
  for (const seen_phase& p : all) between.add(p.span_ns, {p.waited_ns, 0}, p.idle_ns, 0);
  pe.waited_ns = pe.between_meetings_ns = between.waited_ns();
  pe.shortest_ns = 1000;
  pe.phases = between.count();
  pe.order = between.order();
  pe.kept = between.kept();
  pe.spent[0] = ten_trips;
  return pe;
}

// All others wait for it at every barrier: the mean of what PEs have waited is a quarter of that.
TEST(PredictedGain, IsWhatTheLastOneHasWaited) {
  const predicted_gain g = predict_gain({reader({{10'000, 9'000}, {10'000, 9'000}}), reader({{1'000}, {1'000}}),
                                         reader({{1'000}, {1'000}}), reader({{1'000}, {1'000}})});
  EXPECT_EQ(g.ns, 18'000);
  EXPECT_EQ(g.why_not, "");
}

TEST(PredictedGain, AddsUpOverThePhasesWhoeverIsLast) {
  const predicted_gain g = predict_gain({reader({{10'000, 9'000}, {1'000}}), reader({{1'000}, {10'000, 8'000}})});
  EXPECT_EQ(g.ns, 17'000);
}

TEST(PredictedGain, IsNoneBehindAPEThatComputes) {
  const predicted_gain g = predict_gain({reader({{50'000}, {50'000}}), reader({{40'000, 39'000}, {50'000, 49'000}})});
  EXPECT_EQ(g.ns, 0);
  EXPECT_EQ(g.why_not, "");
}

TEST(PredictedGain, EndsWhereAnotherPEIsLast) {
  const predicted_gain g = predict_gain({reader({{7'000}, {1'000}}), reader({{10'000, 9'000}, {1'000}})});
  EXPECT_EQ(g.ns, 3'000);
}

TEST(PredictedGain, ShrinksWhatIsReadByTheCostOfReads) {
  pe_waits pe = reader({{10'000, 8'000}, {1'000}}), other = reader({{1'000}, {1'000}});
  pe.then[0] = {10, 0, 5};
  EXPECT_EQ(predict_gain({pe, other}).ns, 4'000);
  pe.kept[0].waited_ns = {6'000, 2'000};  // writes stay as they are
  EXPECT_EQ(predict_gain({pe, other}).ns, 3'000);
}

// A writer waits then, each time at least as long as the readers did before: not for the assumed 600 ns.
TEST(PredictedGain, TellsThatOthersWouldWaitInstead) {
  pe_waits writer = reader({{1'000}, {1'000}});
  writer.spent[0] = {};
  writer.then[1] = ten_trips;
  const predicted_gain g = predict_gain({writer, reader({{1'000}, {11'000, 10'000}})});
  EXPECT_EQ(g.ns, 10'000 - (10 * 1000 + 20 * 60));
  EXPECT_EQ(g.at_most_ns, 10'000);
  EXPECT_NE(g.why_not.find("PEs would wait that have not waited"), std::string::npos) << g.why_not;
}

// Each of ten round trips has taken ten times what one takes: the other protocol needs half as many, and perhaps no
// queue.
TEST(PredictedGain, TellsThatPEsWaitForTheirTurn) {
  pe_waits pe = reader({{110'000, 100'000}, {1'000}});
  pe.then[0] = {10, 0, 5};
  const predicted_gain g = predict_gain({pe, reader({{1'000}, {1'000}})});
  EXPECT_EQ(g.ns, 50'000);
  EXPECT_EQ(g.at_most_ns, 100'000 - (5 * 1000 + 10 * 60));
  EXPECT_NE(g.why_not.find("turn at the same data"), std::string::npos) << g.why_not;
}

TEST(PredictedGain, TellsThatPEsWaitForOtherThings) {
  const predicted_gain g = predict_gain({reader({{10'000, 9'000}, {1'000}}), reader({{10'000, 0, 9'500}, {1'000}})});
  EXPECT_EQ(g.ns, 0);
  EXPECT_EQ(g.at_most_ns, 9'000);
  EXPECT_NE(g.why_not.find("wait for messages"), std::string::npos) << g.why_not;
}

TEST(PredictedGain, IsTheMeanWherePEsDoNotMeet) {
  const predicted_gain never = predict_gain({reader({{10'000, 8'000}}), reader({{10'000}})});
  EXPECT_EQ(never.ns, 4'000);
  EXPECT_EQ(never.at_most_ns, 8'000);
  EXPECT_NE(never.why_not.find("never meet"), std::string::npos) << never.why_not;
  const predicted_gain apart = predict_gain({reader({{10'000, 8'000}, {1'000}}), reader({{10'000}})});
  EXPECT_EQ(apart.ns, 4'000);
  EXPECT_NE(apart.why_not.find("do not all meet"), std::string::npos) << apart.why_not;
}

TEST(PredictedGain, OfALongJobIsThatOfASample) {
  pe_waits pes[2];
  phases between[2];
  constexpr int rounds = 20'000;
  for (int i = 0; i < rounds; ++i) {
    between[i % 2].add(10'000, {9'000, 0}, 0, 0);  // in turn
    between[1 - i % 2].add(1'000, {}, 0, 0);
  }
  for (int pe = 0; pe < 2; ++pe) {
    pes[pe] = reader({});
    pes[pe].waited_ns = pes[pe].between_meetings_ns = between[pe].waited_ns();
    pes[pe].phases = rounds;
    pes[pe].kept = between[pe].kept();
  }
  EXPECT_EQ(predict_gain({pes[0], pes[1]}).ns, std::int64_t{rounds} * 9'000);
}

TEST(PredictedGain, IsNoneWhereNothingChanges) {
  pe_waits pe = reader({{10'000, 9'000}});
  pe.then = pe.spent;
  const predicted_gain g = predict_gain({pe, pe});
  EXPECT_EQ(g.ns, 0);
  EXPECT_EQ(g.why_not, "");
}

}  // namespace
}  // namespace tsubu::data
