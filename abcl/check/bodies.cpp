#include "abcl/check/bodies.hpp"

#include <fmt/format.h>

#include "abcl/check/coverage.hpp"
#include "abcl/check/expressions.hpp"
#include "abcl/check/foreign.hpp"

namespace abcl {
namespace {

void read_state(const context& at, const form& f, class_def& c) {
  context first_value = at;
  first_value.in_first_value = true;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    const form& s = f.parts[i];
    const bool plain = s.parts.size() == 2;
    const bool with_value = s.parts.size() == 4 && s.parts[2].is_symbol(":=");
    if (!s.is(form::kind::round) || (!plain && !with_value)) {
      at.said.error(14, s.where, "a state variable is a type, a name and, if one likes, a value",
                    "(Type name) or (Type name := value) is expected");
      at.names.declare_what_may_be_meant(s);
      continue;
    }
    const type* const of = at.type_forms.type_of(s.parts[0]);
    expression_ptr first;
    if (with_value)
      first =
          value_as(first_value, s.parts[3], of, [&] { return fmt::format("state variable `{}`", s.parts[1].word); });
    c.state.push_back(at.names.declare(variable::kind::state, s.parts[1], of));
    c.initial.push_back(std::move(first));
  }
}

void show_arguments(const context& at, const class_text& c) {
  for (variable* a : c.of->arguments) at.names.show(*a);
  if (c.arguments == nullptr) return;
  for (const form& p : c.arguments->parts) {
    if (p.parts.size() != 2 || c.of->arguments.empty()) at.names.declare_what_may_be_meant(p);
  }
}

void read_forms(const context& at, const class_text& c) {
  const environment::scope scope(at.names);
  const std::vector<form>& parts = c.from->parts;
  for (std::size_t i = c.body; i < parts.size(); ++i) {
    if (parts[i].is_form("script") && i + 1 < parts.size())
      at.said.error(57, parts[i + 1].where, "a form behind `script` is never reached", "this one")
          .notes.push_back({parts[i].parts[0].where, "from here on the object only takes messages"});
    expression_ptr e = form_of_class(at, parts[i]);
    warn_if_ignored(*e, at.said);
    if (e->what == op::script && i + 1 == parts.size()) {
      c.of->script.reset(static_cast<tree::cases*>(e.release()));
    } else {
      c.of->body.push_back(std::move(e));
    }
  }
}

}  // namespace

void read_body(const context& at, class_text& c) {
  if (c.damaged) return;
  if (c.foreign) return read_foreign_body(at, c);
  class_body body{*c.of};
  context inside = at;
  inside.in_class = &body;
  at.names.begin_body();
  const environment::scope scope(at.names);
  show_arguments(at, c);
  if (c.body < c.from->parts.size() && c.from->parts[c.body].is_form("state"))
    read_state(inside, c.from->parts[c.body++], *c.of);
  read_forms(inside, c);
  require_all_clauses(body, at.types, at.said);
}

void read_body(const context& at, function_text& f) {
  if (f.damaged || f.from->parts.size() < 4) return;
  if (f.foreign) return read_foreign_body(at, f);
  at.names.begin_body();
  const environment::scope scope(at.names);
  for (variable* a : f.of->arguments) at.names.show(*a);
  for (const form& p : f.from->parts[1].parts) at.names.declare_what_may_be_meant(p);
  const type* const of = sequence(at, *f.from, 3, f.of->body, f.of->result);
  if (!at.types.fits(of, f.of->result))
    say_mismatch(at, *f.of->body.back(), f.from->parts.back(), f.of->result,
                 fmt::format("the result of `{}`", f.of->name));
}

}  // namespace abcl
