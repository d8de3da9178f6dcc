#include "abcl/resolve/script.hpp"

#include <algorithm>

#include "abcl/check/analysis.hpp"

namespace abcl {

bool has_express_clauses(const class_def& c) {
  return c.script != nullptr && std::any_of(c.script->clauses.begin(), c.script->clauses.end(),
                                            [](const clause& each) { return each.express; });
}

bool may_leave_messages(const class_def& c) {
  const std::vector<clause>& clauses = c.script->clauses;
  return !std::all_of(c.interface->parts.begin(), c.interface->parts.end(), [&](const type* message) {
    return std::any_of(clauses.begin(), clauses.end(),
                       [&](const clause& each) { return each.takes == message && !each.express && each.takes_all(); });
  });
}

bool replies_at_its_end(const clause& c) {
  return ends_with_reply(c.body) && !may_end_itself(c) && !leaves_loop_around(c);
}

bool exits_behind_body(const class_def& c, const class_def* start) {
  return &c == start && c.script == nullptr && is_test(c);
}

}  // namespace abcl
