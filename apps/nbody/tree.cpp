#include "apps/nbody/tree.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace nbody {

using namespace tsubu;

namespace {

// Groups whose forces are being found, on each PE: many, as what they ask other PEs should fill batches.
constexpr int in_flight = 512;

// A cell that belongs to one PE while the one above it does not.
struct border_cell {
  place at;
  ref<cell> object;
  summary of;
};

using body_range = std::span<const body>;

body_range part_of(body_range sorted, body_key first, body_key end) {
  const auto before = [&](body_key key) {
    return std::partition_point(sorted.begin(), sorted.end(), [=](const body& b) { return b.key < key; });
  };
  return body_range(before(first), before(end));
}

// Appends this PE's border cells in `in`, with or without bodies, by key.
void find_border_cells(const shares& divided, place in, std::vector<place>& found) {
  const pe_id first = divided.owner(in.first), last = divided.owner(in.end() - 1), me = this_pe();
  if (first > me || last < me) return;
  if (first == last) return found.push_back(in);
  for (int o = 0; o < 8; ++o) find_border_cells(divided, in.octant(o), found);
}

double edge_of(const shares& divided, int level) {
  return divided.all.edge / static_cast<double>(std::int64_t{1} << level);
}

// Makes the top above these border cells, all of those in `in` that have bodies.
border_cell make_top(place in, std::span<const border_cell> below, const shares& divided) {
  if (below.size() == 1 && below.front().at == in) return below.front();
  octants top;
  top.size = edge_of(divided, in.level + 1);
  std::int64_t cells = 1;
  for (int o = 0; o < 8; ++o) {
    const place part = in.octant(o);
    std::size_t count = 0;
    while (count < below.size() && below[count].at.first < part.end()) ++count;
    if (count == 0) continue;
    const border_cell child = make_top(part, below.first(count), divided);
    top.set(o, child.of);
    top.cells[static_cast<std::size_t>(o)] = child.object;
    cells += child.of.cells;
    below = below.subspan(count);
  }
  summary all = top.sum();
  all.cells = cells;
  return {in, create<cell>(here(), top), all};
}

void add_groups(body_range all, body_range part, place in, std::size_t most, std::vector<group>& groups) {
  if (part.empty()) return;
  if (part.size() <= most || in.level == deepest_level) {
    groups.push_back({static_cast<std::size_t>(part.data() - all.data()), part.size()});
    return;
  }
  for (int o = 0; o < 8; ++o) {
    const place octant = in.octant(o);
    add_groups(all, part_of(part, octant.first, octant.end()), octant, most, groups);
  }
}

void add_to(std::span<body> targets, const answer& found) {
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i].felt += found.felt[i];
}

// Adds to the interactions.
task<void> find_forces_on(std::span<body> bodies, ref<cell> root, std::int64_t* interactions) {
  co_await yield();  // other PEs ask, too
  std::vector<point> targets;
  targets.reserve(bodies.size());
  for (body& b : bodies) {
    targets.push_back(b.position);
    b.felt = {};
  }
  std::vector<ref<cell>> others;
  const answer here = co_await root.now<&cell::attract>(targets, others);
  std::vector<future<answer>> asked;
  for (auto first = here.elsewhere.begin(); first != here.elsewhere.end();) {
    const auto last =
        std::find_if(first, here.elsewhere.end(), [&](const ref<cell>& c) { return c.pe() != first->pe(); });
    others.assign(first + 1, last);
    asked.push_back(first->future<&cell::attract>(targets, others));
    first = last;
  }
  add_to(bodies, here);
  *interactions += here.interactions;
  for (future<answer>& other : asked) {
    const answer there = co_await std::move(other);
    add_to(bodies, there);
    *interactions += there.interactions;
  }
  // A body is among those that attract it.
  for (body& b : bodies) b.felt.potential += b.mass / rules_here().softening;
}

}  // namespace

task<tree> build_tree(const std::vector<body>* bodies, const shares* divided) {
  tree made;
  find_border_cells(*divided, place{}, made.border_cells);
  std::vector<border_cell> mine;
  for (const place& at : made.border_cells) {
    const body_range part = part_of(*bodies, at.first, at.end());
    if (part.empty()) continue;
    border_cell border{at, create<cell>(here(), at.level, edge_of(*divided, at.level)), {}};
    for (const body& b : part) border.object.past<&cell::insert>(particle{b.position, b.mass, b.key});
    border.of = co_await border.object.now<&cell::summarise>();
    made.cells_here += border.of.cells;
    mine.push_back(border);
  }
  const std::vector<std::vector<border_cell>> all = co_await all_gather(std::move(mine));
  std::vector<border_cell> in_order;
  for (const auto& one : all) in_order.insert(in_order.end(), one.begin(), one.end());
  const border_cell root = make_top(place{}, in_order, *divided);
  made.root = root.object;
  made.cells = root.of.cells;
  made.mass = root.of.mass;
  co_return made;
}

std::vector<group> find_groups(const std::vector<body>& bodies, const std::vector<place>& border_cells,
                               std::size_t most) {
  std::vector<group> groups;
  for (const place& at : border_cells) add_groups(bodies, part_of(bodies, at.first, at.end()), at, most, groups);
  return groups;
}

task<std::int64_t> find_forces(std::vector<body>* bodies, const std::vector<group>* groups, ref<cell> root) {
  std::int64_t interactions = 0;
  co_await for_each_in_flight(*groups, in_flight, [&](group one) {
    return find_forces_on(std::span(*bodies).subspan(one.first, one.count), root, &interactions);
  });
  co_await barrier();
  co_return interactions;
}

void dissolve(const tree& made) {
  if (made.root.pe() == this_pe()) made.root.past<&cell::dissolve>();
}

}  // namespace nbody
