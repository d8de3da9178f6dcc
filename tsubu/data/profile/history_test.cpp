// Promise: a history tells which protocol would have needed the least time, on the patterns of sharing that the
// literature names, and an adaptive variable changes to it, also when the pattern changes. Method: each pattern is fed
// to a history; and run as a program whose variables are adaptive.
#include "tsubu/data/profile/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/shared_job.hpp"
#include "tsubu/data/variables/shared.hpp"

namespace tsubu::data_test {
namespace {

using data::history;
using data::message_figures;

constexpr pe_id home = 0, pes = 4;

// 50 rounds of a pattern.
using pattern = void (*)(history& h, pe_id turn);

void read_only(history& h, pe_id) {
  for (pe_id pe = 1; pe < pes; ++pe) h.add(home, pe, 5, 0, 8);
}
void read_mostly(history& h, pe_id turn) {
  read_only(h, turn);
  h.add(home, home, 0, 1, 8);
}
void migratory(history& h, pe_id turn) { h.add(home, turn, 10, 10, 8); }
void producer_consumer(history& h, pe_id) {
  h.add(home, 1, 0, 1, 8);
  h.add(home, 2, 1, 0, 8);
  h.add(home, 3, 1, 0, 8);
}
void write_shared(history& h, pe_id turn) { h.add(home, turn, 0, 1, 8); }
void private_elsewhere(history& h, pe_id) { h.add(home, 2, 3, 3, 8); }

std::array<double, data::compared_protocols> times_of(pattern p) {
  history h(false, nullptr);
  for (pe_id round = 0; round < 50; ++round) p(h, round % pes);
  std::array<double, data::compared_protocols> times{};
  std::ranges::transform(h.costs(), times.begin(), [](const data::traffic& t) { return t.time_ns(message_figures()); });
  return times;
}
protocol cheapest(pattern p) {
  const auto times = times_of(p);
  return protocol{static_cast<std::uint8_t>(std::ranges::min_element(times) - times.begin())};
}

TEST(History, KnowsTheCheapestProtocolOfAPattern) {
  const auto often_read = times_of(read_only);
  EXPECT_EQ(often_read[2], often_read[3]);  // update and invalidate: three copies are fetched
  EXPECT_LT(often_read[2] * 10, std::min(often_read[0], often_read[1]));
  EXPECT_EQ(cheapest(read_mostly), protocol::update);
  EXPECT_EQ(cheapest(migratory), protocol::mobile);
  EXPECT_EQ(cheapest(producer_consumer), protocol::update);
  EXPECT_EQ(cheapest(write_shared), protocol::global);
  EXPECT_EQ(cheapest(private_elsewhere), protocol::mobile);
}

TEST(History, CountsMessagesExactly) {
  history h(false, nullptr);
  h.add(home, 1, 3, 0, 8);
  h.add(home, 2, 0, 2, 8);
  const data::traffic_by_protocol& c = h.costs();
  EXPECT_EQ(c[0].messages, 2U * 5);  // global: each there and back
  EXPECT_EQ(c[1].messages, 2U + 4);  // mobile: home to 1; 1 home, home to 2
  EXPECT_EQ(c[2].messages,
            2U + 2 * 5);             // update: a fetch; two writes: there and back, invalidate, acknowledge, the value
  EXPECT_EQ(c[3].messages, 2U + 4);  // invalidate: a fetch; invalidate, acknowledge; the value to the writer
  EXPECT_EQ(c[3].round_trips, 1U + 2);
  EXPECT_EQ(c[2].round_trips, 1U + 4);
}

TEST(History, ChangesAfterTwoWindowsThatAgree) {
  history h(true, nullptr);
  protocol now = protocol::global;
  int changes = 0;
  const auto feed = [&](pattern p, int rounds) {
    for (pe_id round = 0; round < rounds; ++round) {
      p(h, round % pes);
      const protocol better = h.better_than(now, message_figures());
      changes += better != now ? 1 : 0;
      now = better;
    }
  };
  feed(read_mostly, 100);
  EXPECT_EQ(now, protocol::update);
  feed(write_shared, 100);
  EXPECT_EQ(now, protocol::global);
  feed(migratory, 100);
  EXPECT_EQ(now, protocol::mobile);
  EXPECT_EQ(changes, 3);
}

// ---- as a program

shared<long> value;

task<void> phases(pe_id me) {
  if (me == 0) value = create_shared(protocol::adaptive, 0L);
  co_await barrier();
  for (long round = 1; round <= 60; ++round) {  // read mostly
    if (me == 0) co_await value.write(round);
    co_await barrier();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(co_await value.read(), round);
    co_await barrier();
  }
  const std::uint64_t before = remote::current_pe->messages.sent();
  if (me == 1) {
    EXPECT_NE(value.copy(), nullptr) << "it has become a variable with copies";
    for (int i = 0; i < 100; ++i) co_await value.read();
    EXPECT_EQ(remote::current_pe->messages.sent(), before);
  }
  co_await barrier();
  for (long round = 0; round < 200; ++round) {  // private, elsewhere
    if (me == 1) co_await value.change<add_and_get>(1L);
  }
  if (me == 1) {
    const std::uint64_t later = remote::current_pe->messages.sent();
    for (int i = 0; i < 100; ++i) co_await value.change<add_and_get>(1L);
    EXPECT_EQ(remote::current_pe->messages.sent(), later) << "it has become a variable that moves";
  }
  co_await barrier();
  EXPECT_EQ(co_await value.read(), 360);
}
TEST(History, AdaptiveVariablesFollowThePhases) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    run_all(2, seed, phases);
    run_all(3, seed, phases);
  }
}

}  // namespace
}  // namespace tsubu::data_test
