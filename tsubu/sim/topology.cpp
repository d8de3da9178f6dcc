#include "tsubu/sim/topology.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace tsubu::sim {
namespace {

// x <= y <= z of product n, with the least sum.
std::vector<int> most_cubic(int n) {
  std::vector<int> best{1, 1, n};
  std::int64_t least = std::int64_t{n} + 2;
  for (int x = 1; std::int64_t{x} * x * x <= n; ++x) {
    if (n % x != 0) continue;
    const int rest = n / x;
    for (int y = x; std::int64_t{y} * y <= rest; ++y) {
      if (rest % y != 0 || std::int64_t{x} + y + rest / y >= least) continue;
      best = {x, y, rest / y};
      least = std::int64_t{x} + y + rest / y;
    }
  }
  return best;
}

// The steps from a to b along one dimension of n nodes; negative: downwards.
int steps(int a, int b, int n, bool joined) {
  const int straight = b - a;
  if (!joined) return straight;
  const int up = straight < 0 ? straight + n : straight;
  return 2 * up <= n ? up : up - n;
}

// The least number of stages from one node of an omega to another, and the outputs to take, the last in bit 0.
struct stages {
  int count;
  std::int64_t outputs;
};
stages omega_stages(int from, int to, int groups, int size) {
  const int stage = (to % size - from % size + size) % size;
  std::int64_t reached = from / size;  // the first of the groups that `count` stages lead to
  std::int64_t width = 1;              // how many follow it
  for (int count = 0;; ++count) {
    const std::int64_t outputs = (to / size - reached + groups) % groups;
    if (count % size == stage && outputs < width) {
      // Where several ways are as short, each two nodes have one of them, so that the links are used alike.
      constexpr int most_bits = 30;
      const std::int64_t all = std::int64_t{1} << std::min(count, most_bits);
      const std::int64_t ways = (all - 1 - outputs) / groups + 1;
      const auto pick = static_cast<std::uint64_t>(from) * 0x9e3779b1U + static_cast<std::uint64_t>(to) * 0x85ebca6bU;
      return {count, outputs + groups * static_cast<std::int64_t>((pick >> 16) % static_cast<std::uint64_t>(ways))};
    }
    reached = 2 * reached % groups;
    width = std::min<std::int64_t>(2 * width, groups);
  }
}

// The lowest level of a fat tree whose switches are above both nodes.
int common_level(int a, int b, const std::vector<int>& shape) {
  int level = 0;
  for (; a != b; ++level) {
    a /= shape[static_cast<std::size_t>(level)];
    b /= shape[static_cast<std::size_t>(level)];
  }
  return level;
}

// The router of a group that has the link to another group, `ahead` groups further.
int gateway(int ahead, int routers, int groups) {
  const int links_of_router = (groups - 1 + routers - 1) / routers;
  return (ahead - 1) / links_of_router;
}

struct place {
  int group, router;  // of the group
};
place place_of(int node, const std::vector<int>& shape) {
  const int router = node / shape[1];
  return {router / shape[0], router % shape[0]};
}

}  // namespace

topology::topology(const machine& on, int pes)
    : kind_(on.network.topology),
      node_pes_(on.node.pes),
      fill_(on.network.fill),
      first_group_(on.network.first_group),
      shape_(on.network.shape) {
  const int used = (pes + node_pes_ - 1) / node_pes_;
  if (shape_.empty() && (kind_ == topology_kind::mesh || kind_ == topology_kind::torus)) shape_ = most_cubic(used);
  nodes_ = shape_.empty() ? used : 1;
  for (const int n : shape_) nodes_ *= n;
}

int topology::node_of(pe_id pe) const {
  const int n = pe / node_pes_;
  if (kind_ != topology_kind::omega) return n;
  const int groups = shape_[0], size = shape_[1], first = fill_ == 0 ? size : fill_, rest = size - first;
  const int later = n - groups * first;
  const int group = later < 0 ? n / first : later / rest;
  return (group + first_group_) % groups * size + (later < 0 ? n % first : first + later % rest);
}

int topology::number_of(int node) const {
  const int groups = shape_[0], size = shape_[1], first = fill_ == 0 ? size : fill_;
  const int g = (node / size - first_group_ + groups) % groups, s = node % size;
  return s < first ? g * first + s : groups * first + g * (size - first) + s - first;
}

int topology::links() const {
  const int dimensions = static_cast<int>(shape_.size());
  switch (kind_) {
    case topology_kind::full:
      return 0;
    case topology_kind::bus:
      return 1;
    case topology_kind::omega:
      return 2 * nodes_;
    case topology_kind::mesh:
    case topology_kind::torus:
    case topology_kind::fat_tree:
      return 2 * dimensions * nodes_;
    case topology_kind::dragonfly: {
      const int routers = shape_[0], groups = shape_[2];
      return 2 * nodes_ + groups * routers * routers + groups * groups;
    }
  }
  std::abort();
}

void topology::route(pe_id from, pe_id to, std::vector<int>& links) const {
  links.clear();
  const int a = node_of(from), b = node_of(to);
  if (a == b) return;
  switch (kind_) {
    case topology_kind::full:
      return;
    case topology_kind::bus:
      return links.push_back(0);
    case topology_kind::omega:
      return through_omega(a, b, links);
    case topology_kind::mesh:
    case topology_kind::torus:
      return along_dimensions(a, b, links);
    case topology_kind::fat_tree:
      return up_and_down(a, b, links);
    case topology_kind::dragonfly:
      return by_groups(a, b, links);
  }
}

int topology::distance(pe_id from, pe_id to) const {
  int a = node_of(from), b = node_of(to);
  if (a == b) return 0;
  switch (kind_) {
    case topology_kind::full:
    case topology_kind::bus:
      return 1;
    case topology_kind::omega:
      return omega_stages(a, b, shape_[0], shape_[1]).count;
    case topology_kind::mesh:
    case topology_kind::torus: {
      int sum = 0;
      for (const int n : shape_) {
        sum += std::abs(steps(a % n, b % n, n, kind_ == topology_kind::torus));
        a /= n;
        b /= n;
      }
      return sum;
    }
    case topology_kind::fat_tree:
      return 2 * common_level(a, b, shape_);
    case topology_kind::dragonfly: {
      const place p = place_of(a, shape_), q = place_of(b, shape_);
      if (p.group == q.group) return p.router == q.router ? 2 : 3;
      const int routers = shape_[0], groups = shape_[2];
      const int ahead = (q.group - p.group + groups) % groups;
      const bool first = p.router != gateway(ahead, routers, groups);
      const bool last = q.router != gateway(groups - ahead, routers, groups);
      return 3 + (first ? 1 : 0) + (last ? 1 : 0);
    }
  }
  std::abort();
}

std::string topology::name(int link) const {
  // Where a node has one cable: up from it, and down to it.
  int down = -1;
  if (kind_ == topology_kind::fat_tree) down = static_cast<int>(shape_.size()) * nodes_;
  if (kind_ == topology_kind::dragonfly) down = nodes_;
  if (down >= 0 && link < nodes_) return "the cable out of node " + std::to_string(link);
  if (down >= 0 && link >= down && link < down + nodes_) return "the cable into node " + std::to_string(link - down);
  return kind_ == topology_kind::bus ? "the bus" : "link " + std::to_string(link);
}

int topology::order(int link) const {
  const int dimensions = static_cast<int>(shape_.size());
  switch (kind_) {
    case topology_kind::full:
    case topology_kind::bus:
      return 0;
    case topology_kind::omega:
      return link / 2 % shape_[1];
    case topology_kind::mesh:
    case topology_kind::torus: {
      const int d = link / 2 % dimensions;
      int at = link / 2 / dimensions, before = 0;
      for (int k = 0; k < d; ++k) {
        at /= shape_[static_cast<std::size_t>(k)];
        before += shape_[static_cast<std::size_t>(k)];
      }
      const int n = shape_[static_cast<std::size_t>(d)];
      return before + (link % 2 == 0 ? at % n : n - 1 - at % n);
    }
    case topology_kind::fat_tree:
      return link / nodes_ < dimensions ? link / nodes_ : 3 * dimensions - 1 - link / nodes_;
    case topology_kind::dragonfly: {
      constexpr int in = 0, within = 1, over = 2, out = 3;
      if (link < 2 * nodes_) return link < nodes_ ? in : out;
      return link < 2 * nodes_ + shape_[2] * shape_[0] * shape_[0] ? within : over;
    }
  }
  std::abort();
}

// Link 2 (dimensions node + dimension): upwards from the node; the next number: downwards.
void topology::along_dimensions(int from, int to, std::vector<int>& links) const {
  const int dimensions = static_cast<int>(shape_.size());
  int node = from;
  int stride = 1;
  for (int d = 0; d < dimensions; ++d) {
    const int n = shape_[static_cast<std::size_t>(d)];
    int at = from / stride % n;
    int left = steps(at, to / stride % n, n, kind_ == topology_kind::torus);
    const int way = left < 0 ? -1 : 1;
    for (; left != 0; left -= way) {
      links.push_back(2 * (dimensions * node + d) + (way < 0 ? 1 : 0));
      const int next = (at + way + n) % n;
      node += (next - at) * stride;
      at = next;
    }
    stride *= n;
  }
}

pe_id topology::neighbour(pe_id of, int k, int pes) const {
  int to = of + 1 + k;
  if (node_pes_ == 1 && kind_ == topology_kind::omega) {
    const int groups = shape_[0], size = shape_[1], node = node_of(of);
    to = number_of(size * ((2 * (node / size) + k % 2) % groups) + (node % size + 1) % size);
  } else if (node_pes_ == 1 && (kind_ == topology_kind::mesh || kind_ == topology_kind::torus)) {
    int stride = 1;
    for (int d = 0; d < k % static_cast<int>(shape_.size()); ++d) stride *= shape_[static_cast<std::size_t>(d)];
    const int n = shape_[static_cast<std::size_t>(k) % shape_.size()];
    const int at = of / stride % n;
    // At the end of a mesh the one before is near.
    if (at + 1 < n) {
      to = of + stride;
    } else {
      to = kind_ == topology_kind::torus ? of - at * stride : of - stride;
    }
  }
  return ((to % pes) + pes) % pes;
}

// Link 2 node + output.
void topology::through_omega(int from, int to, std::vector<int>& links) const {
  const int groups = shape_[0], size = shape_[1];
  const stages way = omega_stages(from, to, groups, size);
  int g = from / size, s = from % size;
  for (int left = way.count - 1; left >= 0; --left) {
    const int output = left < 62 ? static_cast<int>(way.outputs >> left & 1) : 0;
    links.push_back(2 * (size * g + s) + output);
    g = (2 * g + output) % groups;
    s = (s + 1) % size;
  }
}

// A subtree of level l has m nodes, and m cables up to level l + 1. A message to node d uses cable d mod m of a
// subtree, up and down alike. Link l nodes + m subtree + cable goes up; those that go down are numbered alike after all
// of these.
void topology::up_and_down(int from, int to, std::vector<int>& links) const {
  const int levels = static_cast<int>(shape_.size());
  const int top = common_level(from, to, shape_);
  int m = 1;
  for (int level = 0; level < top; ++level) {
    links.push_back(level * nodes_ + from / m * m + to % m);
    m *= shape_[static_cast<std::size_t>(level)];
  }
  for (int level = top - 1; level >= 0; --level) links.push_back((levels + level) * nodes_ + to);
}

// Links from the nodes to their routers, from these to the nodes, between the routers of a group, between the groups.
void topology::by_groups(int from, int to, std::vector<int>& links) const {
  const int routers = shape_[0], groups = shape_[2];
  const int local = 2 * nodes_, global = local + groups * routers * routers;
  const place p = place_of(from, shape_), q = place_of(to, shape_);
  const auto within = [&](int group, int a, int b) {
    if (a != b) links.push_back(local + (group * routers + a) * routers + b);
  };
  links.push_back(from);
  if (p.group == q.group) {
    within(p.group, p.router, q.router);
  } else {
    const int ahead = (q.group - p.group + groups) % groups;
    within(p.group, p.router, gateway(ahead, routers, groups));
    links.push_back(global + p.group * groups + q.group);
    within(q.group, gateway(groups - ahead, routers, groups), q.router);
  }
  links.push_back(nodes_ + to);
}

}  // namespace tsubu::sim
