// Promise: what connections hold together never exceeds the limit where they ask before they take, each has its own
// part whatever others do, and who has held much for long is cut when others wait, the worst first, and no more than
// help.
#include "apps/kv/client_account.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tsubu/base/random.hpp"

namespace kv {
namespace {

struct one : client_account::share {
  explicit one(client_account& in) : share(in) {}
  void go_on() override { ++went_on; }
  void end() override { ++ended; }
  int went_on = 0;
  int ended = 0;
};

// Ten connections have 50 each, and 500 are common; whoever holds more than its part for 10 may be cut.
constexpr std::size_t limit = 1000, connections = 10;
constexpr std::int64_t patience = 10;

TEST(client_account, each_has_its_part) {
  client_account all(limit, connections, patience);
  EXPECT_EQ(all.own_part(), 50U);
  EXPECT_EQ(all.most_of_one(), 550U);
  one greedy(all), modest(all);
  EXPECT_TRUE(all.has_room(greedy, 550));
  EXPECT_FALSE(all.has_room(greedy, 551));
  all.hold(greedy, 550, 0);
  EXPECT_EQ(all.common_bytes(), 500U);
  EXPECT_TRUE(all.has_room(modest, 50));
  EXPECT_FALSE(all.has_room(modest, 51));
  all.hold(greedy, 300, 0);
  EXPECT_TRUE(all.has_room(modest, 300));
  EXPECT_FALSE(all.has_room(modest, 301));
}

TEST(client_account, who_waits_goes_on_when_there_is_room_least_first) {
  client_account all(limit, connections, patience);
  one first(all), large(all), small(all);
  all.hold(first, 400, 0);
  all.hold(large, 200, 0);
  all.wait(large, 300);
  all.wait(small, 250);
  EXPECT_TRUE(all.anybody_waits());
  all.hold(first, 399, 1);
  EXPECT_EQ(large.went_on + small.went_on, 0);
  all.hold(first, 200, 1);  // for either of them
  EXPECT_EQ(small.went_on, 1);
  EXPECT_EQ(small.bytes(), 250U);
  EXPECT_EQ(large.went_on, 0);
  all.hold(small, 0, 1);
  EXPECT_EQ(large.went_on, 1);
  EXPECT_EQ(large.bytes(), 300U);
  EXPECT_FALSE(all.anybody_waits());
}

TEST(client_account, the_worst_offender_is_cut_first_and_no_more_than_help) {
  client_account all(limit, connections, patience);
  one old_small(all), old_large(all), young(all), waits(all);
  all.hold(old_small, 100, 0);
  all.hold(old_large, 250, 0);
  all.hold(young, 300, 8);
  all.wait(waits, 200);
  all.look(9);  // nobody has had it for long
  EXPECT_EQ(all.cut(), 0U);
  all.look(10);
  EXPECT_EQ(old_large.ended, 1);
  EXPECT_TRUE(old_large.is_cut());
  EXPECT_EQ(old_small.ended + young.ended, 0);
  all.look(11);  // it has not let go yet, but will
  EXPECT_EQ(all.cut(), 1U);
  EXPECT_EQ(waits.went_on, 0);
  all.hold(old_large, 0, 12);
  EXPECT_EQ(waits.went_on, 1);
}

TEST(client_account, bytes_that_come_and_go_do_not_grow_old) {
  client_account all(limit, connections, patience);
  one busy(all), waits(all);
  for (std::int64_t now = 0; now < 100; now += 5) {
    all.hold(busy, 550, now);
    if (now < 95) all.hold(busy, 0, now + 4);
  }
  all.wait(waits, 100);
  all.look(100);
  EXPECT_EQ(all.cut(), 0U);
  all.look(105);
  EXPECT_EQ(busy.ended, 1);
}

// However long it has to wait, and however much others want.
TEST(client_account, who_holds_little_is_not_cut_for_who_holds_more) {
  client_account all(limit, connections, patience);
  one small(all), large(all), larger(all);
  all.hold(small, 60, 0);
  all.hold(large, 200, 0);
  all.hold(larger, 240, 0);
  all.wait(small, 260);
  all.wait(large, 400);
  all.wait(larger, 540);
  all.look(10);
  EXPECT_EQ(larger.ended, 1);
  EXPECT_EQ(small.ended + large.ended, 0);
  all.hold(larger, 0, 11);
  EXPECT_EQ(small.went_on, 1);
  all.look(30);  // the small one holds most by now, and has for long
  EXPECT_EQ(small.ended, 1);
  all.hold(small, 0, 31);
  EXPECT_EQ(large.went_on, 1);
}

TEST(client_account, who_waits_may_be_cut_and_who_leaves_makes_room) {
  client_account all(limit, connections, patience);
  one waits(all);
  auto leaves = std::make_unique<one>(all);
  one idle(all);
  all.hold(waits, 200, 0);
  all.hold(*leaves, 400, 5);
  all.wait(waits, 400);
  all.wait(idle, 51);
  all.look(10);
  EXPECT_EQ(waits.ended, 1);
  EXPECT_EQ(idle.ended, 0);
  leaves = nullptr;
  EXPECT_EQ(idle.went_on, 1);
  EXPECT_FALSE(all.anybody_waits());
  one last(all);
  all.hold(last, 550 - 150 - 1, 20);
  one late(all);
  all.wait(late, 100);
  all.cut_all_that_wait();
  EXPECT_EQ(late.ended, 1);
  EXPECT_FALSE(all.anybody_waits());
}

// Whatever they do in whatever order, as long as they ask.
TEST(client_account, never_exceeds_its_limit) {
  const auto seed = static_cast<unsigned>(tsubu::fresh_seed());
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  client_account all(limit, connections, patience);
  std::vector<std::unique_ptr<one>> open;
  std::vector<bool> waits(connections);
  for (std::size_t i = 0; i < connections; ++i) open.push_back(std::make_unique<one>(all));
  for (std::int64_t now = 0; now < 20'000; ++now) {
    const std::size_t i = random() % connections;
    if (waits[i] && open[i]->went_on + open[i]->ended > 0) waits[i] = false;
    if (open[i]->is_cut() || random() % 20 == 0) {
      open[i] = std::make_unique<one>(all);
      waits[i] = false;
    } else if (!waits[i]) {
      const std::size_t wanted = random() % (all.most_of_one() + 1);
      if (all.has_room(*open[i], wanted)) {
        all.hold(*open[i], wanted, now);
      } else {
        open[i]->went_on = 0;
        waits[i] = true;
        all.wait(*open[i], wanted);
      }
    }
    if (random() % 8 == 0) all.look(now);
    std::size_t sum = 0;
    for (const auto& each : open) sum += each->bytes();
    ASSERT_LE(sum, limit);
    ASSERT_LE(all.common_bytes(), limit - connections * all.own_part());
  }
  EXPECT_GT(all.cut(), 0U);
}

}  // namespace
}  // namespace kv
