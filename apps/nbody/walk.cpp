#include "apps/nbody/walk.hpp"

#include <algorithm>
#include <utility>

#include "apps/nbody/em4_clocks.hpp"

namespace nbody {

using namespace tsubu;

static pe_local<walks> under_way;
walks& walks_here() { return *under_way; }

void walk::finish() {
  answer result;
  work(clocks_of_pull * static_cast<double>(targets.size() * found.size()));
  result.felt.resize(targets.size());
  nbody::attract(targets, found, rules_here().softening, result.felt);
  result.interactions = static_cast<std::int64_t>(targets.size() * found.size());
  std::sort(elsewhere.begin(), elsewhere.end(), [](const ref<cell>& a, const ref<cell>& b) { return a.pe() < b.pe(); });
  result.elsewhere = std::exchange(elsewhere, {});
  reply_to<answer> asker = std::move(to);
  asker.reply(std::move(result));
}

walk_number walks::begin(std::vector<point> targets, reply_to<answer> to) {
  if (free_.empty()) {
    free_.push_back(static_cast<walk_number>(all_.size()));
    all_.emplace_back();
  }
  const walk_number number = free_.back();
  free_.pop_back();
  walk& w = all_[number];
  w.around = box(targets);
  w.theta = rules_here().theta;
  w.targets = std::move(targets);
  w.found.clear();
  w.to = std::move(to);
  return number;
}

void walks::visited(walk_number number) {
  walk& w = all_[number];
  if (--w.unvisited > 0) return;
  w.finish();
  free_.push_back(number);
}

}  // namespace nbody
