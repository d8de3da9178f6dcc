// Expressions: what each kind of form may be.
#pragma once

#include <cassert>
#include <memory>
#include <string>
#include <type_traits>

#include "abcl/check/context.hpp"
#include "abcl/check/fitting.hpp"

namespace abcl {

// The value of the form `f`. `wanted` is what the surroundings expect; null: they take anything.
expression_ptr value(const context& at, const form& f, const type* wanted = nullptr);

// The same for a form of a class, which may be its script.
expression_ptr form_of_class(const context& at, const form& f);

// The forms of `f` from the `first` on; all but the last for what they do. Gives the type of the last.
const type* sequence(const context& at, const form& f, std::size_t first, expressions& into, const type* wanted);

// A node that `f` has become, with nothing in it yet.
template <class Node = expression>
std::unique_ptr<Node> made(op what, const form& f, const type* of) {
  if constexpr (!std::is_same_v<Node, expression>) assert(Node::is(what));
  auto e = std::make_unique<Node>();
  e->what = what;
  e->where = f.where;
  e->of = of;
  return e;
}
// What a wrong form becomes: no further error follows from it.
expression_ptr wrong(const context& at, const form& f);
// What stands in a form that is wrong counts as done, so that nobody misses it.
void forgive(const context& at, const form& f);

// The value of `f`, which has to be of type `wanted`. `what_for` makes the words for it, "the reply", if it is not.
template <class Words>
  requires requires(const Words& words) { std::string(words()); }
expression_ptr value_as(const context& at, const form& f, const type* wanted, const Words& what_for) {
  expression_ptr e = value(at, f, wanted);
  if (e->what == op::reply || !at.types.fits(e->of, wanted)) say_mismatch(at, *e, f, wanted, what_for());
  return e;
}
inline expression_ptr value_as(const context& at, const form& f, const type* wanted, const char* what_for) {
  return value_as(at, f, wanted, [what_for] { return what_for; });
}

}  // namespace abcl
