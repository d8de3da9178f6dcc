#include "tsubu/sim/shape.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tsubu/sim/words.hpp"

namespace tsubu::sim {
namespace {

constexpr std::int64_t most_links = most_nodes;  // between the routers of a dragonfly

// A topology, and how many numbers its shape has.
struct form {
  std::string_view name;
  topology_kind kind;
  std::size_t least, most;
  bool needed;
  const char* shape;
};
constexpr const char* dimensions = "[nodes along each dimension]";
constexpr form forms[] = {
    {"full", topology_kind::full, 0, 0, false, "none: it has no shape"},
    {"bus", topology_kind::bus, 0, 0, false, "none: it has no shape"},
    {"omega", topology_kind::omega, 2, 2, true, "[nodes of a stage, stages]"},
    {"mesh", topology_kind::mesh, 1, 8, false, dimensions},
    {"torus", topology_kind::torus, 1, 8, false, dimensions},
    {"fat_tree", topology_kind::fat_tree, 1, 8, true, "[links down from a switch, for each level, the lowest first]"},
    {"dragonfly", topology_kind::dragonfly, 3, 3, true, "[routers of a group, nodes of a router, groups]"}};

const form* read_topology(section& net) {
  std::vector<std::string_view> names;
  for (const form& one : forms) names.push_back(one.name);
  const std::string expected = "one of " + list(names);
  const toml_value* const v = net.need("topology", expected);
  const std::string said = net.text("topology", v, expected);
  for (const form& one : forms) {
    if (one.name == said) return &one;
  }
  if (!said.empty()) net.complain("topology", *v, v->kind(), expected + did_you_mean(said, names));
  return nullptr;
}

// The numbers of a shape, or none if one of them is wrong.
std::vector<int> numbers_of(section& net, const toml_value& v, const form& as, const std::string& expected) {
  const auto* const all = v.as<toml_array>();
  if (as.most == 0 || all == nullptr) {
    net.complain("shape", v, v.kind(), expected);
    return {};
  }
  if (all->values.size() < as.least || all->values.size() > as.most) {
    net.complain("shape", v, "an array of " + std::to_string(all->values.size()), expected);
    return {};
  }
  std::vector<int> shape;
  for (const toml_value& one : all->values) {
    const auto* const n = one.as<std::int64_t>();
    if (n == nullptr || *n < 1 || *n > most_nodes) {
      net.complain("shape", v, "an array with " + (n != nullptr ? std::to_string(*n) : one.kind()),
                   expected + ", integers from 1 to " + std::to_string(most_nodes));
      return {};
    }
    shape.push_back(static_cast<int>(*n));
  }
  return shape;
}

void read_numbers(section& net, const toml_value* v, const form& as, machine& m) {
  const std::string expected = "for " + std::string(as.name) + " " + as.shape;
  if (v == nullptr) {
    if (as.needed) net.need("shape", expected);
    return;
  }
  std::vector<int> shape = numbers_of(net, *v, as, expected);
  if (shape.empty()) return;
  std::int64_t nodes = 1;
  for (const int n : shape) nodes = std::min<std::int64_t>(nodes * n, most_nodes + 1);
  const std::int64_t routers = shape.front(), groups = shape.back();
  const bool many = as.kind == topology_kind::dragonfly && groups * (routers * routers + groups) > most_links;
  if (nodes > most_nodes || many) {
    return net.complain(
        "shape", *v, "a network of too many nodes or links",
        expected + ", with " + std::to_string(most_nodes) + " nodes at most, and as many links between routers");
  }
  m.network.shape = std::move(shape);
}

}  // namespace

void read_shape(section& net, machine& m) {
  const form* const as = read_topology(net);
  if (as != nullptr) m.network.topology = as->kind;
  const toml_value* const shape = net.find("shape");
  if (as != nullptr) read_numbers(net, shape, *as, m);
}

void read_places(section& net, machine& m) {
  const bool is_omega = m.network.topology == topology_kind::omega && m.network.shape.size() == 2;
  const auto of_omega = [&](const char* key, int least, int most) {
    const toml_value* const v = net.find(key);
    if (v == nullptr || is_omega) return net.integer(key, v, least, most, 0);
    net.complain(key, *v, v->kind(), "none: only an omega has it");
    return 0;
  };
  m.network.fill = of_omega("fill", 1, is_omega ? m.network.shape[1] : 1);
  m.network.first_group = of_omega("first_group", 0, is_omega ? m.network.shape[0] - 1 : 0);
}

std::int64_t room_for(const machine& m) {
  if (m.network.shape.empty()) return most_nodes;
  std::int64_t room = m.node.pes;
  for (const int n : m.network.shape) room *= n;
  return room;
}

}  // namespace tsubu::sim
