// Promises: with buffers a message that finds no room waits where it is and holds up those behind it; without, it holds
// up nobody. Whatever waits for whatever, all arrive, once, and those of a pair in order.
#include "tsubu/sim/network.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tsubu::sim {
namespace {

// A row of nodes: a link takes 10 and is taken for 20 by a message, a PE's way out is taken for 100.
machine row_of_nodes(int nodes, int buffers) {
  machine m;
  m.network.topology = topology_kind::mesh;
  m.network.shape = {nodes};
  m.network.latency = 5;
  m.network.link = 10;
  m.network.wire.packet_ps = 20;
  m.network.receiver.packet_ps = 100;
  m.network.buffers = buffers;
  return m;
}

struct message {
  std::int64_t ps;
  pe_id from, to;
};

// When each is there.
std::vector<std::int64_t> arrivals(const machine& m, int pes, const std::vector<message>& all) {
  network wires(m, pes);
  std::vector<std::int64_t> there(all.size(), -1);
  for (std::size_t k = 0; k < all.size(); ++k) {
    flight f{.ps = all[k].ps, .number = k, .from = all[k].from, .to = all[k].to, .what = nullptr, .bytes = 8};
    EXPECT_FALSE(wires.send(f));
  }
  flight f{};
  while (wires.next_ps() != network::no_time) {
    if (!wires.move(f)) continue;
    EXPECT_EQ(there[f.number], -1) << "arrived twice";
    there[f.number] = f.ps;
  }
  return there;
}

using times = std::vector<std::int64_t>;

TEST(buffers, one_that_meets_nobody_is_not_delayed) {
  EXPECT_EQ(arrivals(row_of_nodes(4, 1), 4, {{7, 0, 3}}), (times{7 + 5 + 3 * 10}));
  EXPECT_EQ(arrivals(row_of_nodes(4, 0), 4, {{7, 0, 3}}), (times{7 + 5 + 3 * 10}));
}

// Two flows over link 1 -> 2: who came first goes first, the other when the link is free again, and the way out after.
TEST(buffers, two_flows_share_a_link) {
  // 0 -> 3 is at node 1 at 15, 1 -> 3 at 5: over link 1 -> 2 at 5 and 25, so at node 3 at 25 and 45.
  EXPECT_EQ(arrivals(row_of_nodes(4, 1), 4, {{0, 0, 3}, {0, 1, 3}}), (times{125, 25}));
}

// Node 2's way out lets one go each 100. The four for it fill it, the link's end, and the queue; the one for node 1 is
// behind them.
TEST(buffers, who_waits_holds_up_those_behind) {
  const std::vector<message> all{{0, 0, 2}, {0, 0, 2}, {0, 0, 2}, {0, 0, 2}, {0, 0, 1}};
  // At node 2 at 25, and every 100 from then on. The second waits at the end of link 1 -> 2 until 125, so the third at
  // that of 0 -> 1, and the fourth in PE 0's queue: it leaves node 0 when the third leaves node 1, at 125.
  EXPECT_EQ(arrivals(row_of_nodes(3, 1), 3, all), (times{25, 125, 225, 325, 235}));
  // Any number has room: over link 0 -> 1 at 5, 25, 45, 65 and 85.
  EXPECT_EQ(arrivals(row_of_nodes(3, 0), 3, all), (times{25, 125, 225, 325, 95}));
  // Two places a link: at node 2 two wait, at node 1 one, and the last follows at once.
  EXPECT_EQ(arrivals(row_of_nodes(3, 2), 3, all), (times{25, 125, 225, 325, 125}));
}

// Each topology with as little room as there can be: routes that wait for each other in a ring would stop here.
TEST(buffers, none_waits_for_ever) {
  struct form {
    topology_kind kind;
    std::vector<int> shape;
    int pes;
  };
  const form forms[] = {{topology_kind::omega, {16, 5}, 80},
                        {topology_kind::omega, {4, 3}, 12},
                        {topology_kind::torus, {8}, 8},
                        {topology_kind::torus, {4, 5, 3}, 60},
                        {topology_kind::mesh, {5, 5}, 25},
                        {topology_kind::fat_tree, {4, 4, 2}, 32},
                        {topology_kind::dragonfly, {4, 2, 5}, 40},
                        {topology_kind::bus, {}, 6}};
  for (const form& one : forms) {
    machine m = row_of_nodes(1, 1);
    m.network.topology = one.kind;
    m.network.shape = one.shape;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
      std::mt19937 random(seed);
      const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint32_t>(n)); };
      std::vector<message> all;
      for (int k = 0; k < 100 * one.pes; ++k) {
        const pe_id from = below(one.pes);
        all.push_back({k / one.pes, from, (from + 1 + below(one.pes - 1)) % one.pes});
      }
      const times there = arrivals(m, one.pes, all);
      EXPECT_EQ(there, arrivals(m, one.pes, all)) << "not the same again";
      std::map<std::pair<pe_id, pe_id>, std::int64_t> last;
      for (std::size_t k = 0; k < all.size(); ++k) {
        ASSERT_GE(there[k], 0) << "message " << k << " of seed " << seed << " has not arrived";
        std::int64_t& before = last[{all[k].from, all[k].to}];
        ASSERT_LE(before, there[k]) << "message " << k << " of seed " << seed << " has overtaken one of its pair";
        before = there[k];
      }
    }
  }
}

}  // namespace
}  // namespace tsubu::sim
