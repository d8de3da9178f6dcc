// Promises: over TCP all messages arrive, once, and those of a pair in order, whatever a port drops; a message that
// meets nobody is as long under way as its bytes are; where ports hold all that comes nothing is dropped; where many
// send to one at a time, a port too small for them makes them wait for timeouts.
#include "tsubu/sim/tcp.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "tsubu/sim/network.hpp"

namespace tsubu::sim {
namespace {

constexpr std::int64_t latency = 100, timeout = 1'000'000;

// A byte takes 1 ps at each side.
machine over_tcp(std::size_t port_bytes) {
  machine m;
  m.network.latency = latency;
  m.network.sender.byte_fs = m.network.receiver.byte_fs = 1000;
  m.network.tcp = {
      .known = true, .segment_bytes = 10, .window_bytes = 80, .port_bytes = port_bytes, .timeout = timeout};
  return m;
}

struct message {
  std::int64_t ps;
  pe_id from, to;
  std::size_t bytes;
};

struct outcome {
  std::vector<std::int64_t> there;  // when each is
  std::uint64_t dropped, timeouts;
};

outcome run(const machine& m, int pes, const std::vector<message>& all) {
  tcp_streams streams(m, pes);
  outcome found{std::vector<std::int64_t>(all.size(), -1), 0, 0};
  std::map<std::pair<pe_id, pe_id>, std::uint64_t> last;
  for (std::size_t k = 0; k < all.size(); ++k)
    streams.send(
        {.ps = all[k].ps, .number = k, .from = all[k].from, .to = all[k].to, .what = nullptr, .bytes = all[k].bytes});
  flight f{};
  std::int64_t now = 0;
  while (streams.next_ps() != network::no_time) {
    EXPECT_GE(streams.next_ps(), now);
    now = streams.next_ps();
    if (!streams.move(f)) continue;
    EXPECT_EQ(found.there[f.number], -1) << "arrived twice";
    EXPECT_GE(f.ps, all[f.number].ps + latency);
    const auto before = last.find({f.from, f.to});
    EXPECT_TRUE(before == last.end() || before->second < f.number) << "overtaken";
    last[{f.from, f.to}] = f.number;
    found.there[f.number] = f.ps;
  }
  for (const std::int64_t ps : found.there) EXPECT_NE(ps, -1) << "never arrived";
  found.dropped = streams.dropped();
  found.timeouts = streams.timeouts();
  return found;
}

// One segment: the latency, and its bytes through the port while they leave the sender.
TEST(tcp, a_message_of_a_segment) {
  EXPECT_EQ(run(over_tcp(100), 2, {{5, 0, 1, 10}}).there[0], 5 + latency + 10);
  EXPECT_EQ(run(over_tcp(100), 2, {{5, 0, 1, 1}}).there[0], 5 + latency + 1);
}

// A window of 2 segments; then what each acknowledgement lets go, a round trip behind the first.
TEST(tcp, the_window_begins_small) {
  const std::int64_t first = latency + 10;
  const auto found = run(over_tcp(100), 2, {{0, 0, 1, 20}, {0, 0, 1, 10}});
  EXPECT_EQ(found.there[0], first + 10);
  EXPECT_EQ(found.there[1], first + latency + first) << "acknowledged, then sent";
  EXPECT_EQ(found.dropped, 0U);
}

TEST(tcp, many_to_one) {
  std::vector<message> all;
  for (pe_id from = 1; from < 9; ++from) all.push_back({0, from, 0, 200});
  const outcome roomy = run(over_tcp(8 * 80), 9, all), tight = run(over_tcp(40), 9, all);
  EXPECT_EQ(roomy.dropped, 0U);
  EXPECT_LT(roomy.there.back(), timeout);
  EXPECT_GT(tight.dropped, 0U);
  EXPECT_GT(tight.timeouts, 0U);
  EXPECT_GT(*std::max_element(tight.there.begin(), tight.there.end()), timeout);
}

// A long stream loses a segment, and those behind it tell.
TEST(tcp, a_lost_segment_is_sent_again_before_its_timeout) {
  bool seen = false;
  for (std::int64_t begin = 0; begin < 3000; begin += 7) {
    // A burst from another PE fills the port for a moment.
    const outcome found = run(over_tcp(20), 3, {{0, 0, 2, 600}, {begin, 1, 2, 20}});
    seen = seen || (found.dropped > 0 && found.timeouts == 0);
  }
  EXPECT_TRUE(seen);
}

TEST(tcp, random_traffic) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int pes = 2 + static_cast<int>(random() % 6);
    std::vector<message> all;
    std::int64_t ps = 0;
    for (int k = 0; k < 200; ++k) {
      ps += static_cast<std::int64_t>(random() % 200);
      const auto from = static_cast<pe_id>(random() % static_cast<unsigned>(pes));
      const auto to =
          static_cast<pe_id>((from + 1 + static_cast<pe_id>(random() % static_cast<unsigned>(pes - 1))) % pes);
      all.push_back({ps, from, to, 1 + random() % 100});
    }
    run(over_tcp(10 + random() % 100), pes, all);
  }
}

}  // namespace
}  // namespace tsubu::sim
