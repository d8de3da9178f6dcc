#include "eulash/analysis/graph.hpp"

namespace eulash {

value graph::fresh() {
  points_to_.emplace_back();
  return static_cast<value>(points_to_.size() - 1);
}

object graph::make_object() {
  held_.push_back(fresh());
  return static_cast<object>(held_.size() - 1);
}

void graph::point(value to, object o) {
  if (to != 0) points_to_[static_cast<std::size_t>(to)].insert(o);
}

void graph::copy(value from, value to) {
  if (from != 0 && to != 0 && from != to) copies_.emplace(from, to);
}

void graph::load(value pointer, value to) {
  if (pointer != 0) loads_.push_back({pointer, to});
}

void graph::store(value pointer, value stored) {
  if (pointer != 0 && stored != 0) stores_.push_back({pointer, stored});
}

void graph::copy_contents(value from, value to) {
  if (from == 0 || to == 0) return;
  const value between = fresh();
  load(from, between);
  store(to, between);
}

bool graph::include(value from, value to) {
  std::set<object>& all = points_to_[static_cast<std::size_t>(to)];
  const std::size_t before = all.size();
  const std::set<object>& more = objects(from);
  all.insert(more.begin(), more.end());
  return all.size() != before;
}

std::vector<value> graph::stored_nowhere() const {
  std::vector<value> all;
  for (const through& s : stores_)
    if (objects(s.pointer).empty()) all.push_back(s.other);
  return all;
}

void graph::solve() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const through& l : loads_)
      for (const object o : objects(l.pointer)) copies_.emplace(held_by(o), l.other);
    for (const through& s : stores_)
      for (const object o : objects(s.pointer)) copies_.emplace(s.other, held_by(o));
    for (const auto& [from, to] : copies_) changed = include(from, to) || changed;
  }
}

}  // namespace eulash
