// Finds the connected components of a random graph, and prints how many there are and how large the largest is.
//
// Vertices are dealt out to the PEs. Each is labelled with its own number, and tells its neighbours, a message for each
// edge; a vertex that hears of a smaller label takes it, and tells its neighbours in turn. Nobody knows how often that
// happens; an epoch ends when it happens no more. Then the label of a component is its smallest vertex.
#include <tsubu/tsubu.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/gallery/problem/components.hpp"

using namespace tsubu;

struct node {
  vertex label = 0;
  long members = 0;  // of the component of that name
  std::vector<vertex> neighbours;
};
pe_local<std::vector<node>> nodes;  // vertex v is node v / P of PE v mod P

vertex pes() { return static_cast<vertex>(pe_count()); }
node& here_is(vertex v) { return (*nodes)[v / pes()]; }

void make_nodes(vertex vertices) {
  const auto me = static_cast<vertex>(this_pe());
  for (vertex v = me; v < vertices; v += pes()) nodes->push_back({.label = v, .members = 0, .neighbours = {}});
}

void add_neighbour(vertex v, vertex other) { here_is(v).neighbours.push_back(other); }

task<void> make_edges(vertex vertices, std::uint64_t edges) {
  for (const std::uint64_t e : part_of(edges)) {
    const vertex a = random_vertex(2 * e, vertices), b = random_vertex(2 * e + 1, vertices);
    co_await at(a % pes()).past<add_neighbour>(a, b);
    co_await at(b % pes()).past<add_neighbour>(b, a);
  }
}

task<void> hear(vertex v, vertex label) {
  node& n = here_is(v);
  if (label >= n.label) co_return;
  n.label = label;
  for (const vertex w : n.neighbours) co_await at(w % pes()).past<hear>(w, label);
}

task<void> tell_all() {
  for (const node& n : *nodes) {
    for (const vertex w : n.neighbours) co_await at(w % pes()).past<hear>(w, n.label);
  }
}

void add_members(vertex label, long count) { here_is(label).members += count; }

task<void> count_members() {
  // Most vertices are of one component, so most of these messages become few.
  for (const node& n : *nodes) co_await at(n.label % pes()).past_combining<add_members>(n.label, 1L);
}

long components_here() {
  return std::ranges::count_if(*nodes, [](const node& n) { return n.members != 0; });
}

long largest_here() { return nodes->empty() ? 0 : std::ranges::max_element(*nodes, {}, &node::members)->members; }

task<int> program(arguments args) {
  const auto vertices = args.number<vertex>(1, 50'000);
  const std::uint64_t edges = vertices;
  co_await everywhere().now<make_nodes>(vertices);
  const auto graph = [vertices, edges]() -> task<void> { co_await everywhere().now<make_edges>(vertices, edges); };
  co_await epoch(graph);
  const auto labels = []() -> task<void> { co_await everywhere().now<tell_all>(); };
  co_await epoch(labels);
  const auto counts = []() -> task<void> { co_await everywhere().now<count_members>(); };
  co_await epoch(counts);

  const long components = co_await everywhere().now<components_here>(reduce::plus);
  const long largest = co_await everywhere().now<largest_here>(reduce::max);
  std::printf("%u vertices and %ju edges: %ld components, the largest of %ld vertices\n", vertices,
              std::uintmax_t{edges}, components, largest);
  if (is_right(vertices, edges, components, largest)) co_return 0;
  std::printf("This is not what union and find says.\n");
  co_return 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
