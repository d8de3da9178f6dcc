// Forms that say what is done, in which order, and how it ends.
#include <fmt/format.h>

#include "abcl/check/expressions.hpp"
#include "abcl/check/form_rules.hpp"

namespace abcl {

expression_ptr if_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::choose>(op::choose, f, at.types.empty);
  e->condition = value_as(as_operand(at), f.parts[1], at.types.boolean, "a condition");
  e->yes = value(at, f.parts[2], wanted);
  if (f.parts.size() == 4) {
    e->no = value(at, f.parts[3], wanted);
    e->of = joined(at, e->yes->of, e->no->of);
  } else if (e->yes->of->is_error()) {
    e->of = at.types.unknown;
  }
  return e;
}

namespace {

bool is_else(const form& branch) { return branch.is_form("else"); }

// Whether it can be understood.
bool is_branch(const context& at, const form& f, bool last) {
  const bool round = f.is(form::kind::round) && f.parts.size() >= 2;
  if (round && (!is_else(f) || last)) return true;
  diagnostic& d = round ? at.said.error(17, f.where, "what is behind `else` is never done", "the last one may be")
                        : at.said.error(17, f.where, "a branch of `cond` is a condition, and forms",
                                        "(condition form ...) is expected");
  d.help.push_back("it is written (cond (condition form ...) ... (else form ...))");
  return false;
}

// What is done where the condition of the branch holds.
expression_ptr forms_of(const context& at, const form& branch, const type* wanted) {
  if (branch.parts.size() == 2) return value(at, branch.parts[1], wanted);
  auto e = made<tree::block>(op::sequence, branch, nullptr);
  e->of = sequence(at, branch, 1, e->body, wanted);
  return e;
}

// The branches from the i-th on, as an `if` is; null if there are none.
expression_ptr branches(const context& at, const form& f, std::size_t i, const type* wanted) {
  if (i == f.parts.size()) return nullptr;
  const form& branch = f.parts[i];
  if (is_else(branch)) return forms_of(at, branch, wanted);
  auto e = made<tree::choose>(op::choose, branch, at.types.empty);
  e->where.end = f.where.end;  // with what is done else
  e->condition = value_as(as_operand(at), branch.parts[0], at.types.boolean, "a condition");
  e->yes = forms_of(at, branch, wanted);
  e->no = branches(at, f, i + 1, wanted);
  if (e->no != nullptr) {
    e->of = joined(at, e->yes->of, e->no->of);
  } else if (e->yes->of->is_error()) {
    e->of = at.types.unknown;
  }
  return e;
}

}  // namespace

expression_ptr cond_form(const context& at, const form& f, const type* wanted) {
  bool good = true;
  for (std::size_t i = 1; i < f.parts.size() && good; ++i) good = is_branch(at, f.parts[i], i + 1 == f.parts.size());
  if (!good) return wrong(at, f);
  expression_ptr e = branches(at, f, 1, wanted);
  if (e->what == op::choose) e->where = f.where;
  return e;
}

expression_ptr break_form(const context& at, const form& f, const type*) {
  if (at.no_break != nullptr)
    at.said.error(65, f.where, "`break` leaves the `while` or `for` whose forms it is one of", at.no_break);
  return made(op::leave_loop, f, at.types.nothing);
}

expression_ptr begin_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::block>(op::sequence, f, nullptr);
  e->of = sequence(at, f, 1, e->body, wanted);
  return e;
}

expression_ptr while_form(const context& at, const form& f, const type*) {
  auto e = made<tree::loop>(op::loop, f, at.types.empty);
  e->condition = value_as(as_operand(at), f.parts[1], at.types.boolean, "a condition");
  context inside = at;
  inside.no_break = nullptr;
  sequence(inside, f, 2, e->body, nullptr);
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
  e->first = value_as(as_operand(at), head.parts[1], at.types.integer, "the first value of `for`");
  e->end = value_as(as_operand(at), head.parts[2], at.types.integer, "the end of `for`");
  const environment::scope scope(at.names);
  e->counter = at.names.declare(variable::kind::counter, head.parts[0], at.types.integer);
  context inside = at;
  inside.no_break = nullptr;
  sequence(inside, f, 2, e->body, nullptr);
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
    if (v.parts.size() == 3)
      first = value_as(as_operand(at), v.parts[2], of, [&] { return fmt::format("`{}`", v.parts[1].word); });
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
