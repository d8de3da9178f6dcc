#include "eulash/analysis/recorder.hpp"

#include <utility>

namespace eulash {

value recorder::joined(value a, value b) {
  if (a == 0 || b == 0) return a + b;
  const value both = f_.values.fresh();
  f_.values.copy(a, both);
  f_.values.copy(b, both);
  return both;
}

value recorder::address(const located& l) {
  if (l.direct < 0) return l.pointer;
  const value v = f_.values.fresh();
  f_.values.point(v, l.direct);
  return v;
}

void recorder::access(const located& l, bool writes, const clang::Expr* at) {
  if (l.direct < 0 && l.pointer == 0) return;
  f_.accesses.push_back({function, l.direct, l.pointer, writes, p_.place_of(at->getExprLoc())});
}

value recorder::read(const located& l, const clang::Expr* at) {
  access(l, false, at);
  if (l.direct >= 0) return f_.values.held_by(l.direct);
  const value v = f_.values.fresh();
  f_.values.load(l.pointer, v);
  return v;
}

void recorder::write(const located& l, value v, const clang::Expr* at) {
  access(l, true, at);
  if (l.direct >= 0) return f_.values.copy(v, f_.values.held_by(l.direct));
  f_.values.store(l.pointer, v);
}

value recorder::allocate(const clang::CallExpr* e) {
  object_facts site{object_kind::heap, assigned_to, "", p_.place_of(e->getExprLoc()), function};
  const object o = f_.add_object(std::move(site));
  f_.sites[key_of(p_, e)] = o;
  return address({o, 0});
}

}  // namespace eulash
