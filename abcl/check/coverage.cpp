#include "abcl/check/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abcl {
namespace {

// "(==> [:put a b] ...) in its script"
std::string clause_for(const type* m) {
  std::string elements(m->name);
  const std::size_t count = m->parts.size() - (m->wants_reply() ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i)
    elements += (elements.empty() ? "" : " ") + std::string(1, static_cast<char>('a' + i % 26));
  return fmt::format("({} [{}] ...) in its script", m->wants_reply() ? "==>" : "=>", elements);
}

}  // namespace

void warn_of_unreachable(const std::vector<clause>& clauses, diagnostics& said) {
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const clause& first = clauses[i];
    if (first.takes == nullptr || !first.takes_all()) continue;
    for (std::size_t j = i + 1; j < clauses.size(); ++j) {
      if (clauses[j].takes == first.takes && clauses[j].express == first.express)
        said.warning(103, clauses[j].where, "this clause is never reached", "")
            .notes.push_back({first.where, "this one takes every such message"});
    }
  }
}

void require_all_clauses(const class_body& c, const type_table& types, diagnostics& said) {
  if (c.of.script == nullptr || c.clauses_are_wrong || types.is_open(c.of.of)) return;
  for (const type* m : c.of.interface->parts) {
    if (std::find(c.has_clause.begin(), c.has_clause.end(), m) != c.has_clause.end()) continue;
    said.error(51, c.of.name_where, fmt::format("`{}` has no clause for {}", c.of.name, written_out(m)),
               "its interface promises one")
        .help.push_back(clause_for(m));
  }
}

}  // namespace abcl
