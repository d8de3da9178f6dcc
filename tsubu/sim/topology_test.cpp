// Promise: each route is a chain of links from one node to the other, as long as the distance says and no longer than
// it must be; links are numbered below links(). The tests know the ends of each link by the topology's definition
// alone.
#include "tsubu/sim/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <string>

#include "tsubu/base/random.hpp"

namespace tsubu::sim {
namespace {

machine network(topology_kind kind, std::vector<int> shape, int node_pes = 1) {
  machine m;
  m.network.topology = kind;
  m.network.shape = std::move(shape);
  m.node.pes = node_pes;
  return m;
}

struct ends {
  int from, to;
};
using link_ends = std::function<ends(int link)>;  // in numbers of nodes and switches

// Walks every route, and returns how many pairs are at each distance.
std::vector<int> walk_all(const topology& t, int pes, const link_ends& of, const std::function<int(pe_id)>& place) {
  std::vector<int> pairs;
  std::vector<int> route;
  for (pe_id from = 0; from < pes; ++from) {
    for (pe_id to = 0; to < pes; ++to) {
      t.route(from, to, route);
      int at = place(from);
      for (const int link : route) {
        if (link < 0 || link >= t.links() || of(link).from != at) {
          ADD_FAILURE() << "link " << link << " of " << t.links() << " does not go on at " << at << ", from " << from
                        << " to " << to;
          return {};
        }
        at = of(link).to;
      }
      EXPECT_EQ(at, place(to)) << from << " to " << to;
      EXPECT_EQ(static_cast<int>(route.size()), t.distance(from, to)) << from << " to " << to;
      pairs.resize(std::max(pairs.size(), route.size() + 1));
      ++pairs[route.size()];
    }
  }
  return pairs;
}

// How many links there are at least from one place to all others; -1: no way.
std::vector<int> least(int start, int places, int links, const link_ends& of) {
  std::vector<std::vector<int>> next(static_cast<std::size_t>(places));
  for (int link = 0; link < links; ++link) {
    const ends e = of(link);
    if (e.from >= 0) next[static_cast<std::size_t>(e.from)].push_back(e.to);
  }
  std::vector<int> found(static_cast<std::size_t>(places), -1);
  std::queue<int> pending;
  found[static_cast<std::size_t>(start)] = 0;
  pending.push(start);
  while (!pending.empty()) {
    const int at = pending.front();
    pending.pop();
    for (const int to : next[static_cast<std::size_t>(at)]) {
      if (found[static_cast<std::size_t>(to)] >= 0) continue;
      found[static_cast<std::size_t>(to)] = found[static_cast<std::size_t>(at)] + 1;
      pending.push(to);
    }
  }
  return found;
}

void expect_shortest(const topology& t, int nodes, int places, const link_ends& of) {
  for (int from = 0; from < nodes; ++from) {
    const std::vector<int> found = least(from, places, t.links(), of);
    for (int to = 0; to < nodes; ++to) {
      ASSERT_EQ(t.distance(from, to), found[static_cast<std::size_t>(to)]) << from << " to " << to;
    }
  }
}

void expect_symmetric(const topology& t, int pes) {
  for (pe_id a = 0; a < pes; ++a) {
    for (pe_id b = 0; b < a; ++b) ASSERT_EQ(t.distance(a, b), t.distance(b, a)) << a << " and " << b;
  }
}

int itself(pe_id pe) { return pe; }

link_ends omega_links(int groups, int size) {
  return [=](int link) {
    const int node = link / 2, g = node / size, s = node % size;
    return ends{node, size * ((2 * g + link % 2) % groups) + (s + 1) % size};
  };
}

TEST(topology, full_shares_no_link) {
  const topology t(network(topology_kind::full, {}), 1000);
  std::vector<int> route{7};
  t.route(1, 999, route);
  EXPECT_TRUE(route.empty());
  EXPECT_EQ(t.links(), 0);
  EXPECT_EQ(t.distance(1, 999), 1);
  EXPECT_EQ(t.distance(5, 5), 0);
}

TEST(topology, bus_is_one_link) {
  const topology t(network(topology_kind::bus, {}), 20);
  std::vector<int> route;
  for (pe_id to = 1; to < 20; ++to) {
    t.route(0, to, route);
    EXPECT_EQ(route, std::vector<int>{0});
    EXPECT_EQ(t.distance(0, to), 1);
  }
  t.route(3, 3, route);
  EXPECT_TRUE(route.empty());
  EXPECT_EQ(t.links(), 1);
}

TEST(topology, omega_of_em4) {
  const topology t(network(topology_kind::omega, {16, 5}), 80);
  EXPECT_EQ(t.links(), 160);
  const link_ends of = omega_links(16, 5);
  EXPECT_EQ(walk_all(t, 80, of, itself), (std::vector<int>{80, 160, 320, 640, 1280, 1200, 1120, 960, 640}));
  expect_shortest(t, 80, 80, of);
  double sum = 0;
  for (pe_id a = 0; a < 80; ++a) {
    for (pe_id b = 0; b < 80; ++b) sum += t.distance(a, b);
  }
  EXPECT_NEAR(sum / (80 * 79), 5.127, 0.0005);
  for (int link = 0; link < 160; ++link)
    EXPECT_EQ(t.distance(of(link).to, of(link).from), 4) << "back over link " << link;
}

TEST(topology, omegas_of_other_shapes) {
  for (const auto& [groups, size] : {std::array{1, 1}, {1, 4}, {2, 1}, {6, 1}, {7, 3}, {12, 2}, {5, 9}, {3, 40}}) {
    SCOPED_TRACE(testing::Message() << groups << " x " << size);
    const topology t(network(topology_kind::omega, {groups, size}), groups * size);
    walk_all(t, groups * size, omega_links(groups, size), itself);
    expect_shortest(t, groups * size, groups * size, omega_links(groups, size));
  }
}

TEST(topology, a_small_job_has_the_first_pes_of_the_omega) {
  const topology whole(network(topology_kind::omega, {16, 5}), 80), part(network(topology_kind::omega, {16, 5}), 13);
  EXPECT_EQ(part.links(), whole.links());
  std::vector<int> a, b;
  for (pe_id from = 0; from < 13; ++from) {
    for (pe_id to = 0; to < 13; ++to) {
      whole.route(from, to, a);
      part.route(from, to, b);
      ASSERT_EQ(a, b);
    }
  }
}

// 4 of 5 first: PEs 0 to 63 are the first four of the 16 groups, from the first group on, the others the fifth.
TEST(topology, an_omega_filled_by_the_first_of_each_group) {
  for (const int first_group : {0, 1, 15}) {
    SCOPED_TRACE(first_group);
    machine m = network(topology_kind::omega, {16, 5});
    m.network.fill = 4;
    m.network.first_group = first_group;
    const topology t(m, 80);
    const auto node = [&](pe_id pe) {
      const int group = pe < 64 ? pe / 4 : pe - 64;
      return (group + first_group) % 16 * 5 + (pe < 64 ? pe % 4 : 4);
    };
    EXPECT_EQ(walk_all(t, 80, omega_links(16, 5), node),
              (std::vector<int>{80, 160, 320, 640, 1280, 1200, 1120, 960, 640}));
    for (pe_id pe = 0; pe < 80; ++pe) {
      for (int k = 0; k < 2; ++k) EXPECT_EQ(t.distance(pe, t.neighbour(pe, k, 80)), 1) << pe << ", " << k;
    }
  }
}

// Two of the 16 groups of the circular omega are led back to themselves: their nodes are as near as on a ring.
TEST(topology, two_groups_of_an_omega_are_rings) {
  for (int group = 0; group < 16; ++group) {
    machine m = network(topology_kind::omega, {16, 5});
    m.network.first_group = group;
    EXPECT_EQ(topology(m, 2).distance(0, 1), group == 0 || group == 15 ? 1 : 6) << group;
  }
}

link_ends grid_links(const std::vector<int>& shape, bool joined) {
  return [=](int link) {
    const int dimensions = static_cast<int>(shape.size());
    const int node = link / 2 / dimensions, d = link / 2 % dimensions, way = link % 2 == 0 ? 1 : -1;
    int stride = 1;
    for (int k = 0; k < d; ++k) stride *= shape[static_cast<std::size_t>(k)];
    const int n = shape[static_cast<std::size_t>(d)], at = node / stride % n, next = at + way;
    if (!joined && (next < 0 || next == n)) return ends{-1, -1};
    return ends{node, node + ((next + n) % n - at) * stride};
  };
}

TEST(topology, mesh_and_torus) {
  for (const std::vector<int>& shape : {std::vector<int>{7}, {4, 4}, {5, 3}, {2, 3, 4}, {3, 1, 2, 4}}) {
    int nodes = 1;
    for (const int n : shape) nodes *= n;
    for (const bool joined : {false, true}) {
      SCOPED_TRACE(testing::PrintToString(shape) + (joined ? " torus" : " mesh"));
      const topology t(network(joined ? topology_kind::torus : topology_kind::mesh, shape), nodes);
      walk_all(t, nodes, grid_links(shape, joined), itself);
      expect_shortest(t, nodes, nodes, grid_links(shape, joined));
      expect_symmetric(t, nodes);
    }
  }
}

TEST(topology, as_cubic_as_the_number_lets) {
  const auto shape = [](int pes, int node_pes) {
    return topology(network(topology_kind::torus, {}, node_pes), pes).shape();
  };
  EXPECT_EQ(shape(1, 1), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(shape(64, 1), (std::vector<int>{4, 4, 4}));
  EXPECT_EQ(shape(80, 1), (std::vector<int>{4, 4, 5}));
  EXPECT_EQ(shape(97, 1), (std::vector<int>{1, 1, 97}));
  EXPECT_EQ(shape(100'000, 1), (std::vector<int>{40, 50, 50}));
  EXPECT_EQ(shape(1000, 16), (std::vector<int>{3, 3, 7})) << "63 nodes, the last not full";
}

// Places: the nodes, then the switches of each level by subtree and number.
link_ends tree_links(const std::vector<int>& shape) {
  int nodes = 1;
  for (const int n : shape) nodes *= n;
  return [=](int link) {
    const int levels = static_cast<int>(shape.size());
    const bool up = link < levels * nodes;
    const int level = link / nodes % levels, cable = link % nodes;
    int m = 1, below = 1;  // nodes of a subtree of this level, and of the one below
    for (int l = 0; l < level; ++l) below = std::exchange(m, m * shape[static_cast<std::size_t>(l)]);
    const int above = m * shape[static_cast<std::size_t>(level)];
    // Subtrees of `below` cables up have as many switches.
    const int low = level * nodes + (level == 0 ? cable : cable / m * below + cable % m % below);
    const int high = (level + 1) * nodes + cable / above * m + cable % m;
    return up ? ends{low, high} : ends{high, low};
  };
}

TEST(topology, fat_tree) {
  for (const std::vector<int>& shape : {std::vector<int>{6}, {4, 3}, {2, 2, 2, 2}, {3, 2, 4}, {1, 5}}) {
    SCOPED_TRACE(testing::PrintToString(shape));
    int nodes = 1;
    for (const int n : shape) nodes *= n;
    const topology t(network(topology_kind::fat_tree, shape), nodes);
    const int places = (static_cast<int>(shape.size()) + 1) * nodes;
    walk_all(t, nodes, tree_links(shape), itself);
    expect_shortest(t, nodes, places, tree_links(shape));
    expect_symmetric(t, nodes);
  }
}

TEST(topology, no_two_messages_of_a_shift_meet_in_a_fat_tree) {
  const topology t(network(topology_kind::fat_tree, {4, 3, 5}), 60);
  std::vector<int> route;
  for (int shift = 1; shift < 60; ++shift) {
    std::vector<int> uses(static_cast<std::size_t>(t.links()));
    for (pe_id from = 0; from < 60; ++from) {
      t.route(from, (from + shift) % 60, route);
      for (const int link : route) ++uses[static_cast<std::size_t>(link)];
    }
    EXPECT_LE(*std::max_element(uses.begin(), uses.end()), 1) << "shift " << shift;
  }
}

// Places: the nodes, then the routers. The ends of the links between groups come from the rule of the assignment: a
// router has the links to the groups that follow its own, in order, as many as all routers need to have them all.
link_ends dragonfly_links(int routers, int node_count, int groups) {
  return [=](int link) {
    const int nodes = routers * node_count * groups;
    const int between_routers = 2 * nodes, between_groups = between_routers + groups * routers * routers;
    if (link < nodes) return ends{link, nodes + link / node_count};
    if (link < between_routers) return ends{nodes + (link - nodes) / node_count, link - nodes};
    if (link < between_groups) {
      const int k = link - between_routers, group = k / routers / routers;
      return ends{nodes + group * routers + k / routers % routers, nodes + group * routers + k % routers};
    }
    const int k = link - between_groups, a = k / groups, b = k % groups;
    const int each = (groups - 1 + routers - 1) / std::max(routers, 1);
    if (a == b) return ends{-1, -1};
    return ends{nodes + a * routers + ((b - a + groups) % groups - 1) / each,
                nodes + b * routers + ((a - b + groups) % groups - 1) / each};
  };
}

TEST(topology, dragonfly) {
  for (const auto& [routers, nodes, groups] :
       {std::array{4, 2, 9}, {3, 1, 4}, {2, 3, 7}, {1, 2, 5}, {5, 2, 1}, {6, 1, 3}}) {
    SCOPED_TRACE(testing::Message() << routers << ", " << nodes << ", " << groups);
    const int pes = routers * nodes * groups;
    const topology t(network(topology_kind::dragonfly, {routers, nodes, groups}), pes);
    const std::vector<int> pairs = walk_all(t, pes, dragonfly_links(routers, nodes, groups), itself);
    EXPECT_LE(pairs.size(), 6U) << "node, router, group, router, node: 5 links at most";
    EXPECT_EQ(pairs[1], 0);
    expect_symmetric(t, pes);
  }
}

TEST(topology, pes_of_one_node_use_no_link) {
  const topology t(network(topology_kind::fat_tree, {4, 4}, 8), 100);
  std::vector<int> route{1};
  t.route(8, 15, route);
  EXPECT_TRUE(route.empty());
  EXPECT_EQ(t.distance(8, 15), 0);
  walk_all(t, 100, tree_links({4, 4}), [](pe_id pe) { return pe / 8; });
  EXPECT_EQ(t.distance(0, 8), 2);
  EXPECT_EQ(t.distance(0, 99), 4);
}

TEST(topology, a_hundred_thousand_pes_and_more) {
  const std::uint64_t seed = fresh_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  random_source random(seed);
  for (const machine& m :
       {network(topology_kind::torus, {}), network(topology_kind::mesh, {}),
        network(topology_kind::fat_tree, {32, 32, 4}, 64), network(topology_kind::omega, {65536, 17}),
        network(topology_kind::dragonfly, {16, 8, 129}, 8)}) {
    const topology t(m, 100'000);
    std::vector<int> route;
    for (int k = 0; k < 20'000; ++k) {
      const auto from = static_cast<pe_id>(random.below(100'000)), to = static_cast<pe_id>(random.below(100'000));
      t.route(from, to, route);
      ASSERT_EQ(static_cast<int>(route.size()), t.distance(from, to));
      for (const int link : route) ASSERT_TRUE(link >= 0 && link < t.links());
    }
  }
}

TEST(topology, what_people_call_a_link) {
  const topology tree(network(topology_kind::fat_tree, {2, 2}), 4);
  std::vector<int> links;
  tree.route(1, 2, links);
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(tree.name(links[0]), "the cable out of node 1");
  EXPECT_EQ(tree.name(links[1]), "link " + std::to_string(links[1]));
  EXPECT_EQ(tree.name(links[3]), "the cable into node 2");
}

}  // namespace
}  // namespace tsubu::sim
