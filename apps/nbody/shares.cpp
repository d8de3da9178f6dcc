#include "apps/nbody/shares.hpp"

#include <limits>
#include <utility>

namespace nbody {

using namespace tsubu;

static pe_local<std::vector<body>> arrived;

void adopt(body b) { arrived->push_back(b); }

namespace {

constexpr std::int64_t burst = 1000;  // sends between two looks at the network

// A border on its way down the tree: somewhere in `in`, with `before` bodies before that cell.
struct descent {
  place in;
  std::int64_t before = 0;
  std::int64_t wanted = 0;  // bodies before the border
  bool found = false;
  body_key at = 0;

  // `octants`: how many bodies each has.
  void descend(const std::int64_t* octants, std::int64_t indivisible, std::int64_t slack) {
    int octant = 0;
    while (before + octants[octant] <= wanted) before += octants[octant++];
    const std::int64_t count = octants[octant], low = wanted - before, high = count - low;
    in = in.octant(octant);
    found = count <= std::max(indivisible, slack) || std::min(low, high) <= slack || in.level == deepest_level;
    if (found) at = low <= high ? in.first : in.end();
  }
};

std::int64_t count_before(const std::vector<body>& sorted, body_key key) {
  return std::partition_point(sorted.begin(), sorted.end(), [&](const body& b) { return b.key < key; }) -
         sorted.begin();
}

task<cube> find_cube(const std::vector<body>* bodies) {
  constexpr double far = std::numeric_limits<double>::infinity();
  std::vector<double> reach(6, -far);
  for (const body& b : *bodies) {
    const double ends[] = {-b.position.x, -b.position.y, -b.position.z, b.position.x, b.position.y, b.position.z};
    for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = std::max(reach[i], ends[i]);
  }
  reach = co_await all_reduce(std::move(reach), reduce::max);
  co_return cube_around({-reach[0], -reach[1], -reach[2]}, {reach[3], reach[4], reach[5]});
}

}  // namespace

task<std::vector<body_key>> find_borders(const std::vector<body>* sorted, std::int64_t indivisible) {
  const std::int64_t pes = pe_count();
  const std::int64_t total = co_await all_reduce(static_cast<std::int64_t>(sorted->size()), reduce::plus);
  const std::int64_t slack = total / (64 * pes);
  std::vector<descent> all(static_cast<std::size_t>(pes - 1));
  for (std::size_t i = 0; i < all.size(); ++i) all[i].wanted = total * static_cast<std::int64_t>(i + 1) / pes;
  const auto found = [](const descent& d) { return d.found; };
  while (!std::all_of(all.begin(), all.end(), found)) {
    std::vector<std::int64_t> octants(8 * all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].found) continue;
      std::int64_t before = count_before(*sorted, all[i].in.first);
      for (int o = 0; o < 8; ++o) {
        const std::int64_t end = count_before(*sorted, all[i].in.octant(o).end());
        octants[8 * i + static_cast<std::size_t>(o)] = end - std::exchange(before, end);
      }
    }
    octants = co_await all_reduce(std::move(octants), reduce::plus);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].found) all[i].descend(&octants[8 * i], indivisible, slack);
  }
  std::vector<body_key> first = {0};
  for (const descent& d : all) first.push_back(std::max(first.back(), d.at));
  first.push_back(past_all_keys);
  co_return first;
}

void sort_bodies(std::vector<body>& bodies) {
  const auto before = [](const body& a, const body& b) {
    return a.key < b.key || (a.key == b.key && a.number < b.number);
  };
  if (std::is_sorted(bodies.begin(), bodies.end(), before)) return;
  struct entry {
    body_key key;
    std::size_t from;  // where the body is that belongs here
  };
  std::vector<entry> order(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) order[i] = {bodies[i].key, i};
  std::sort(order.begin(), order.end(), [&](const entry& a, const entry& b) {
    return a.key < b.key || (a.key == b.key && bodies[a.from].number < bodies[b.from].number);
  });
  // In cycles: from one step to the next, few bodies change places.
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (order[i].from == i) continue;
    const body first = bodies[i];
    std::size_t at = i;
    for (std::size_t from = order[at].from; from != i; from = order[at].from) {
      bodies[at] = bodies[from];
      order[at].from = at;
      at = from;
    }
    bodies[at] = first;
    order[at].from = at;
  }
}

task<shares> share_out(std::vector<body>* bodies, std::int64_t indivisible) {
  shares found;
  found.all = co_await find_cube(bodies);
  for (body& b : *bodies) b.key = key_of(found.all, b.position);
  sort_bodies(*bodies);
  found.first = co_await find_borders(bodies, indivisible);

  const auto me = static_cast<std::size_t>(this_pe());
  const std::int64_t low = count_before(*bodies, found.first[me]), high = count_before(*bodies, found.first[me + 1]);
  const auto count = static_cast<std::int64_t>(bodies->size());
  std::int64_t sent = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (low <= i && i < high) continue;
    const body& b = (*bodies)[static_cast<std::size_t>(i)];
    at(found.owner(b.key)).past<adopt>(b);
    if (++sent % burst == 0) co_await room_everywhere();
  }
  bodies->erase(bodies->begin() + high, bodies->end());
  bodies->erase(bodies->begin(), bodies->begin() + low);
  co_await quiescence();
  std::vector<body> newcomers = std::exchange(*arrived, {});
  bodies->insert(bodies->end(), newcomers.begin(), newcomers.end());
  sort_bodies(*bodies);
  co_return found;
}

}  // namespace nbody
