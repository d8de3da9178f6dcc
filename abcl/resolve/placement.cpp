#include "abcl/resolve/placement.hpp"

namespace abcl {

// The first values are the beginning of the body. A clause of the script begins anew, one of a wait-for goes on. Guards
// and functions create nothing.
void creation_places::add(const class_def& c) {
  int created = 0;
  for (const expression_ptr& e : c.initial) {
    if (e != nullptr) created = count(*e, created, false);
  }
  count(c.body, created);
  if (c.script == nullptr) return;
  for (const clause& each : c.script->clauses) count(each.body, 0);
}

std::optional<int> creation_places::neighbour_of(const tree::create& e) const {
  const auto found = neighbour_.find(&e);
  if (found == neighbour_.end()) return std::nullopt;
  return found->second;
}

int creation_places::count(const expression& e, int before, bool in_loop) {
  int created = before;
  const bool inside = in_loop || e.what == op::loop || e.what == op::count;
  if (const auto* const choose = try_as<tree::choose>(e)) {
    created = count(*choose->condition, created, inside);
    const int at_branch = created;
    created = count(*choose->yes, at_branch, inside);
    return choose->no == nullptr ? created : count(*choose->no, at_branch, inside);
  }
  if (const auto* const create = try_as<tree::create>(e)) {
    if (create->node == nullptr && !inside) neighbour_[create] = created++ % neighbours;
  }
  e.each_part([&](const expression& part) { created = count(part, created, inside); });
  return created;
}

int creation_places::count(const expressions& body, int before) {
  for (const expression_ptr& e : body) before = count(*e, before, false);
  return before;
}

}  // namespace abcl
