#include "apps/nbody/simulation.hpp"

#include <algorithm>

#include "apps/nbody/shares.hpp"
#include "apps/nbody/tree.hpp"

namespace nbody {

using namespace tsubu;

namespace {

// Seconds since the last call.
class lap_clock {
 public:
  double lap() {
    const std::int64_t now = now_ns();
    return static_cast<double>(now - std::exchange(last_ns_, now)) * 1e-9;
  }

 private:
  std::int64_t last_ns_ = now_ns();
};

}  // namespace

task<cost> simulation::find_felt() {
  cost of;
  lap_clock clock;
  const shares divided = co_await share_out(&bodies_, static_cast<std::int64_t>(group_bodies_));
  of.share_seconds = clock.lap();

  const tree made = co_await build_tree(&bodies_, &divided);
  cells_ = made.cells;
  cells_here_ = made.cells_here;
  tree_mass_ = made.mass;
  of.tree_seconds = clock.lap();

  const std::vector<group> groups = find_groups(bodies_, made.border_cells, group_bodies_);
  of.interactions = co_await find_forces(&bodies_, &groups, made.root);
  dissolve(made);
  of.force_seconds = clock.lap();
  co_return of;
}

task<void> simulation::begin(distribution kind, std::int64_t bodies, std::uint64_t seed, double theta,
                             double softening) {
  const std::int64_t pes = pe_count(), me = this_pe();
  const std::int64_t few = std::max<std::int64_t>(1, bodies / (4 * pes));
  group_bodies_ = static_cast<std::size_t>(std::min(largest_group, few));
  rules_here() = {theta, softening, static_cast<std::size_t>(std::min(largest_leaf, few))};
  for (std::int64_t i = bodies * me / pes; i < bodies * (me + 1) / pes; ++i)
    bodies_.push_back(make_body(kind, bodies, seed, i));
  co_await find_felt();
}

task<void> simulation::step(double dt) {
  kick(dt / 2);
  drift(dt);
  const cost of = co_await find_felt();
  kick(dt / 2);
  spent_.share_seconds += of.share_seconds;
  spent_.tree_seconds += of.tree_seconds;
  spent_.force_seconds += of.force_seconds;
  spent_.interactions += of.interactions;
}

void simulation::kick(double dt) {
  for (body& b : bodies_) b.velocity = b.velocity + dt * b.felt.acceleration;
}

void simulation::drift(double dt) {
  for (body& b : bodies_) b.position = b.position + dt * b.velocity;
}

}  // namespace nbody
