// Promise: what a handler says it will touch is asked for, stage by stage, a fixed number of packets ahead, in long
// runs only; the way that has been the faster one is taken, and each PE finds that out for itself. Method: two
// endpoints in one thread over a transport that the test holds in its hands.
#include "tsubu/message/fetch_ahead.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/two_endpoints.hpp"

namespace tsubu::message {
namespace {

using namespace test;
using fetch_ahead_test = two_endpoints;

std::vector<std::vector<int>> looked_at;  // by packet: at which packet's execution each stage was asked
int executed_now = -1;

struct looking_ahead {
  using layout = wire::layout<std::uint32_t>;
  static constexpr int stages = 2;
  static const void* address(int stage, std::uint32_t n) {
    if (n >= looked_at.size()) looked_at.resize(n + 1);
    if (n != 0) {
      EXPECT_EQ(looked_at[n].size(), static_cast<std::size_t>(stage)) << "packet " << n;
    }
    looked_at[n].push_back(executed_now);
    return &looked_at[n];
  }
  static void call(const delivery&, std::uint32_t n) {
    executed_now = static_cast<int>(n);
    if (n % 50 == 49) throw std::runtime_error("every fiftieth");
  }
};

TEST_F(fetch_ahead_test, a_run_is_looked_at_ahead) {
  static int escaped;
  escaped = 0;
  b.set_escape_hook([](const wire::handler_entry&, std::exception_ptr) { ++escaped; });
  for (const std::uint32_t count : {1U, 63U, 64U, 200U}) {
    do {  // until it is the turn of looking ahead
      looked_at.clear();
      executed_now = -1;
      for (std::uint32_t n = 0; n < count; ++n) a.send<looking_ahead>(1, n);
      a.flush(flush_reason::idle);
      run_all(b);
      EXPECT_EQ(executed_now, static_cast<int>(count) - 1);
    } while (count >= 64 && looked_at.size() < 2);
    if (count < 64) {  // two stages of 16 packets, twice
      EXPECT_TRUE(looked_at.empty()) << "a short run is not worth it";
      continue;
    }
    ASSERT_EQ(looked_at.size(), count);
    looked_at[0].erase(looked_at[0].begin());  // was asked once more, whether it is worth while
    for (std::uint32_t n = 0; n < count; ++n) {
      ASSERT_EQ(looked_at[n].size(), 2U) << "packet " << n << " of " << count;
      if (n >= 32) {
        // It looks before every eighth packet.
        const int eighth = static_cast<int>(n) / 8 * 8 - 1;
        EXPECT_EQ(looked_at[n][0], eighth - 32);
        EXPECT_EQ(looked_at[n][1], eighth - 16);
      }
    }
  }
  EXPECT_GE(escaped, 1 + 1 + 4);
}

TEST(adaptive_switch, is_taken_but_for_a_try_of_the_other_now_and_then) {
  adaptive_switch way;
  int first = 0;
  for (int i = 0; i < 1600; ++i) {
    const bool taken = way.first();
    first += taken ? 1 : 0;
    way.took(taken, taken ? 3000 : 1000, 100);
  }
  EXPECT_GE(first, 100);
  EXPECT_LE(first, 110);
  for (int i = 0; i < 1600; ++i) {  // now it is the other way round
    const bool taken = way.first();
    first += taken ? 1 : 0;
    way.took(taken, taken ? 1000 : 3000, 100);
  }
  EXPECT_GE(first, 1500);
}

TEST_F(fetch_ahead_test, what_is_faster_is_known_to_its_pe_only) {
  const wire::handler_entry& handler = registered<looking_ahead>::entry;
  for (int i = 0; i < 100; ++i) a.switch_of(handler).took(a.switch_of(handler).first(), 1000, 100);
  EXPECT_NE(&a.switch_of(handler), &b.switch_of(handler));
  EXPECT_EQ(&a.switch_of(handler), &a.switch_of(handler));
  EXPECT_NE(&a.switch_of(handler), &a.switch_of(registered<empty_handler>::entry));
}

}  // namespace
}  // namespace tsubu::message
