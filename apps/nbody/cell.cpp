#include "apps/nbody/cell.hpp"

#include <bit>
#include <numeric>
#include <utility>

#include "apps/nbody/em4_clocks.hpp"
#include "apps/nbody/walk.hpp"

namespace nbody {

using namespace tsubu;

static pe_local<rules> agreed;
rules& rules_here() { return *agreed; }

void octants::set(int octant, const summary& of) {
  const auto o = static_cast<std::size_t>(octant);
  mass[o] = of.mass;
  x[o] = of.centre.x;
  y[o] = of.centre.y;
  z[o] = of.centre.z;
}

summary octants::sum() const {
  summary all;
  for (std::size_t o = 0; o < 8; ++o) {
    all.mass += mass[o];
    all.centre = all.centre + mass[o] * point{x[o], y[o], z[o]};
  }
  all.centre = (1 / all.mass) * all.centre;
  return all;
}

namespace {

summary summarise_bodies(std::span<const particle> bodies) {
  summary all;
  for (const particle& p : bodies) {
    all.mass += p.mass;
    all.centre = all.centre + p.mass * p.position;
  }
  all.centre = (1 / all.mass) * all.centre;
  all.cells = 1;
  return all;
}

void add_to(attractors& found, std::span<const particle> bodies) {
  found.reserve_more(bodies.size());
  for (const particle& p : bodies) found.put(p.position.x, p.position.y, p.position.z, p.mass);
}

}  // namespace

cell::cell(int level, double size) : level_(level) {
  octants_.size = size / 2;
  bodies_.reserve(3 * rules_here().leaf_bodies);
}
cell::cell(octants copied) : divided_(true), octants_(copied) {}

std::span<const particle> cell::bodies_of(std::size_t octant) const {
  const auto first = std::accumulate(counts_.begin(), counts_.begin() + octant, std::size_t{0});
  return std::span(bodies_).subspan(first, counts_[octant]);
}

void cell::insert(particle p) {
  work(clocks_of_cell);
  const std::size_t leaf_bodies = rules_here().leaf_bodies;
  if (!divided_) {
    bodies_.push_back(p);
    ++counts_[0];
    if (bodies_.size() <= leaf_bodies || level_ == deepest_level) return;
    divided_ = true;
    counts_ = {};
    std::vector<particle> all;
    all.reserve(bodies_.capacity());
    std::swap(all, bodies_);
    for (const particle& one : all) insert(one);
    return;
  }
  const auto octant = static_cast<std::size_t>(octant_of(p.key, level_));
  if (octants_.cells[octant]) {
    octants_.cells[octant].past<&cell::insert>(p);
    return;
  }
  const std::span<const particle> before = bodies_of(octant);
  bodies_.insert(bodies_.begin() + (before.data() + before.size() - bodies_.data()), p);
  if (++counts_[octant] > leaf_bodies && level_ + 1 < deepest_level) divide(octant);
}

void cell::divide(std::size_t octant) {
  const ref<cell> child = create<cell>(here(), level_ + 1, octants_.size);
  const std::span<const particle> given = bodies_of(octant);
  for (const particle& p : given) child.past<&cell::insert>(p);
  const auto first = bodies_.begin() + (given.data() - bodies_.data());
  bodies_.erase(first, first + counts_[octant]);
  counts_[octant] = 0;
  octants_.cells[octant] = child;
}

task<summary> cell::summarise() {
  if (!divided_) co_return summarise_bodies(bodies_);
  std::int64_t cells = 1;
  for (std::size_t o = 0; o < 8; ++o) {
    summary of;
    if (octants_.cells[o]) {
      of = co_await octants_.cells[o].now<&cell::summarise>();
    } else if (counts_[o] > 0) {
      of = summarise_bodies(bodies_of(o));
    }
    octants_.set(static_cast<int>(o), of);
    cells += of.cells;
  }
  summary all = octants_.sum();
  all.cells = cells;
  co_return all;
}

void cell::attract(reply_to<answer> to, std::vector<point> targets, std::vector<ref<cell>> others) {
  const walk_number walk = walks_here().begin(std::move(targets), std::move(to));
  walks_here()[walk].unvisited = 1 + static_cast<std::int64_t>(others.size());
  for (const ref<cell>& other : others) other.past<&cell::visit>(walk);
  visit(walk);
}

void cell::visit(walk_number number) {
  __builtin_prefetch(bodies_.data());
  walks& all = walks_here();
  walk& w = all[number];
  if (!divided_) {
    work(clocks_of_cell * static_cast<double>(w.targets.size() * bodies_.size()));
    add_to(w.found, bodies_);
    return all.visited(number);
  }
  const eight distances = w.around.distances_squared(octants_.x, octants_.y, octants_.z);
  w.found.reserve_more(8);
  unsigned near = 0, parts = 0;
  for (unsigned o = 0; o < 8; ++o) {
    const bool any = octants_.mass[o] > 0, as_one = far_enough(octants_.size, distances[o], w.theta);
    w.found.put(octants_.x[o], octants_.y[o], octants_.z[o], octants_.mass[o], any && as_one ? 1 : 0);
    near |= static_cast<unsigned>(any && !as_one) << o;
    parts += any ? 1 : 0;
  }
  work(clocks_of_cell * static_cast<double>(w.targets.size() * parts));
  for (; near != 0; near &= near - 1) {
    const auto o = static_cast<std::size_t>(std::countr_zero(near));
    const ref<cell> child = octants_.cells[o];
    if (!child) {
      add_to(w.found, bodies_of(o));
    } else if (child.pe() == this_pe()) {
      ++w.unvisited;
      child.past<&cell::visit>(number);
    } else {
      w.elsewhere.push_back(child);
    }
  }
  all.visited(number);
}

void cell::dissolve() {
  for (const ref<cell>& child : octants_.cells)
    if (child && child.pe() == this_pe()) child.past<&cell::dissolve>();
  retire();
}

}  // namespace nbody
