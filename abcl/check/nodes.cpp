#include "abcl/check/nodes.hpp"

#include <algorithm>

namespace abcl::tree {
namespace {

using visitor = expression::visitor;

void visit(const visitor& f, const expression_ptr& part) {
  if (part != nullptr) f(*part);
}

void visit(const visitor& f, const expressions& parts) {
  for (const expression_ptr& part : parts) visit(f, part);
}

void visit(const visitor& f, const std::vector<let::declared>& variables) {
  for (const let::declared& v : variables) visit(f, v.first);
}

void visit(const visitor& f, const std::vector<clause>& clauses) {
  for (const clause& c : clauses) c.each_part(f);
}

template <class... Parts>
void visit_all(const visitor& f, const Parts&... parts) {
  (visit(f, parts), ...);
}

}  // namespace

void message::each_part(const visitor& f) const { visit(f, elements); }
void compute::each_part(const visitor& f) const { visit(f, operands); }
void call::each_part(const visitor& f) const { visit(f, arguments); }
void library_call::each_part(const visitor& f) const { visit(f, arguments); }
void make_array::each_part(const visitor& f) const { visit_all(f, length, first); }
void element::each_part(const visitor& f) const { visit_all(f, array, index); }
void subarray::each_part(const visitor& f) const { visit_all(f, array, from, to); }
void unary::each_part(const visitor& f) const { visit(f, operand); }
void send::each_part(const visitor& f) const { visit_all(f, target, elements, whole, future); }
void create::each_part(const visitor& f) const { visit_all(f, arguments, node); }
void sync::each_part(const visitor& f) const { visit_all(f, body, last); }
void block::each_part(const visitor& f) const { visit(f, body); }
void choose::each_part(const visitor& f) const { visit_all(f, condition, yes, no); }
void loop::each_part(const visitor& f) const { visit_all(f, condition, body); }
void count::each_part(const visitor& f) const { visit_all(f, first, end, body); }
void let::each_part(const visitor& f) const { visit_all(f, variables, body); }
void cases::each_part(const visitor& f) const { visit(f, clauses); }
void match::each_part(const visitor& f) const { visit_all(f, value, clauses); }
void assign::each_part(const visitor& f) const { visit_all(f, place, value); }
void print::each_part(const visitor& f) const { visit(f, values); }

}  // namespace abcl::tree

namespace abcl {

bool clause::has_literals() const {
  return std::any_of(pattern.begin(), pattern.end(), [](const pattern_element& p) { return p.literal != nullptr; });
}

void clause::each_part(const expression::visitor& f) const {
  for (const pattern_element& p : pattern) {
    if (p.literal != nullptr) f(*p.literal);
  }
  if (guard != nullptr) f(*guard);
  for (const expression_ptr& e : body) f(*e);
}

}  // namespace abcl
