// Forms that say what is done, in which order, and how it ends.
#include <fmt/format.h>

#include "abcl/check/expressions.hpp"
#include "abcl/check/form_rules.hpp"

namespace abcl {

expression_ptr if_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::choose>(op::choose, f, at.types.empty);
  e->condition = value_as(at, f.parts[1], at.types.boolean, "a condition");
  e->yes = value(at, f.parts[2], wanted);
  if (f.parts.size() == 4) {
    e->no = value(at, f.parts[3], wanted);
    e->of = joined(at, e->yes->of, e->no->of);
  } else if (e->yes->of->is_error()) {
    e->of = at.types.unknown;
  }
  return e;
}

expression_ptr begin_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::block>(op::sequence, f, nullptr);
  e->of = sequence(at, f, 1, e->body, wanted);
  return e;
}

expression_ptr while_form(const context& at, const form& f, const type*) {
  auto e = made<tree::loop>(op::loop, f, at.types.empty);
  e->condition = value_as(at, f.parts[1], at.types.boolean, "a condition");
  sequence(at, f, 2, e->body, nullptr);
  if (!e->body.empty()) warn_if_ignored(*e->body.back(), at.said);
  return e;
}

expression_ptr for_form(const context& at, const form& f, const type*) {
  auto e = made<tree::count>(op::count, f, at.types.empty);
  const form& head = f.parts[1];
  if (!head.is(form::kind::round) || head.parts.size() != 3) {
    at.said.error(17, head.where, "`for` counts a name from a first value to below an end",
                  "(name first end) is expected");
    return wrong(at, f);
  }
  e->first = value_as(at, head.parts[1], at.types.integer, "the first value of `for`");
  e->end = value_as(at, head.parts[2], at.types.integer, "the end of `for`");
  const environment::scope scope(at.names);
  e->counter = at.names.declare(variable::kind::counter, head.parts[0], at.types.integer);
  sequence(at, f, 2, e->body, nullptr);
  if (!e->body.empty()) warn_if_ignored(*e->body.back(), at.said);
  return e;
}

expression_ptr let_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::let>(op::let, f, nullptr);
  if (!f.parts[1].is(form::kind::round)) {
    at.said.error(17, f.parts[1].where, "`let` begins with a list of variables", "((Type name value) ...) is expected");
    return wrong(at, f);
  }
  const environment::scope scope(at.names);
  for (const form& v : f.parts[1].parts) {
    if (!v.is(form::kind::round) || v.parts.size() < 2 || v.parts.size() > 3) {
      at.said.error(17, v.where, "a variable of `let` is a type, a name and a value", "(Type name value) is expected");
      at.names.declare_what_may_be_meant(v);
      continue;
    }
    const bool no_type = v.parts.size() == 2 && v.parts[0].is(form::kind::symbol) && !v.parts[1].is(form::kind::symbol);
    if (no_type) {
      at.said.error(17, v.where, "a variable of `let` begins with its type",
                    fmt::format("(Type {} value) is expected", v.parts[0].word));
      at.names.declare_what_may_be_meant(v);
      continue;
    }
    const type* const of = at.type_forms.type_of(v.parts[0]);
    expression_ptr first;
    if (v.parts.size() == 3) first = value_as(at, v.parts[2], of, [&] { return fmt::format("`{}`", v.parts[1].word); });
    e->variables.push_back({at.names.declare(variable::kind::local, v.parts[1], of), std::move(first)});
  }
  e->of = sequence(at, f, 2, e->body, wanted);
  return e;
}

expression_ptr atomic_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::block>(op::atomic, f, nullptr);
  e->of = sequence(at, f, 1, e->body, wanted);
  return e;
}

expression_ptr exit_form(const context& at, const form& f, const type*) {
  auto e = made<tree::unary>(op::exit, f, at.types.nothing);
  may_act(at, f, "does not end the program");
  e->operand = value_as(at, f.parts[1], at.types.integer, "the code of `exit`");
  return e;
}

expression_ptr leave_form(const context& at, const form& f, const type*) {
  const bool suicide = f.parts[0].word == "suicide";
  if (at.in_function()) {
    at.said.error(59, f.where,
                  fmt::format("`{}` concerns the object that runs, and functions have none", f.parts[0].word),
                  "not here");
  } else if (!suicide && !at.in_express) {
    at.said
        .error(60, f.where, "`non-resume` ends what an express message has interrupted", "this clause is not express")
        .help.push_back("express clauses begin with `=>>` or `==>>`");
  } else {
    may_act(at, f, suicide ? "does not end its object" : "interrupts nobody");
  }
  return made(suicide ? op::suicide : op::non_resume, f, at.types.nothing);
}

}  // namespace abcl
