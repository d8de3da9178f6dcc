// Forms with clauses: how an object takes messages, and how a value is taken apart.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/coverage.hpp"
#include "abcl/check/expressions.hpp"
#include "abcl/check/form_rules.hpp"
#include "abcl/check/messages.hpp"
#include "abcl/check/patterns.hpp"
#include "abcl/check/taken_message.hpp"

namespace abcl {
namespace {

// The pattern and the body of the clause `f`, in a scope of their own.
void read_clause(const context& at, const form& f, const std::vector<const type*>& elements, clause& c,
                 const type* wanted, bool in_script) {
  const environment::scope scope(at.names);
  read_pattern(at, f, elements, c);
  if (c.express && (c.has_literals() || has_guard(f)))
    at.said.error(64, f.parts[1].where, "an express clause takes every message of its kind", "no conditions here")
        .help.push_back("what it does may depend on them: (if condition then else)");
  read_guard_and_body(at, f, c, wanted);
  if (in_script && !c.body.empty()) warn_if_ignored(*c.body.back(), at.said);
}

// The second reply among forms that follow each other; null if there is none.
const expression* second_reply(const expressions& forms) {
  const auto replies = [](const expression_ptr& e) { return e != nullptr && e->what == op::reply; };
  const auto first = std::find_if(forms.begin(), forms.end(), replies);
  if (first == forms.end()) return nullptr;
  const auto second = std::find_if(first + 1, forms.end(), replies);
  return second == forms.end() ? nullptr : second->get();
}

// A clause that takes a message, of the script or of `wait-for`. Nothing is added where `f` is none.
void accept_clause(const context& at, const form& f, bool in_script, std::vector<clause>& into, const type* wanted) {
  std::optional<arrow> a = arrow_of_clause(at, f);
  if (!a) return;
  if (a->express && !in_script)
    at.said.error(20, f.parts[0].where, "express clauses stand in a script only", "not in `wait-for`");
  clause c;
  c.where = f.where;
  if (!tag_of(f.parts[1]).empty()) c.tag = f.parts[1].parts[0].where;
  c.express = a->express;
  c.takes = taken_by(at, f, *a);
  c.replies = a->replies;
  std::vector<const type*> elements;
  if (c.takes != nullptr) {
    elements = c.takes->parts;
    if (c.replies) elements.pop_back();
    at.in_class->has_clause.push_back(c.takes);
  } else {
    elements.assign(f.parts[1].parts.size(), at.types.unknown);
  }
  owed_reply owed{c.replies && c.takes != nullptr ? c.takes->answer() : at.types.unknown};
  context inside = at;
  if (c.replies) inside.owed = &owed;
  inside.in_express |= c.express;
  read_clause(inside, f, elements, c, wanted, in_script);
  if (c.replies && !owed.given)
    at.said.warning(104, f.parts[0].where, "this clause never replies", "who asks waits for ever")
        .help.push_back("`!value` replies; a message that wants no reply has no (@ T) in the interface");
  // Errors are to be mended first.
  if (const expression* const again = at.said.any_errors() ? nullptr : second_reply(c.body))
    at.said.warning(107, again->where, "this clause replies twice", "who asks with `<==` takes one reply")
        .help.push_back("a future takes as many as come; an object that stands for the destination, too");
  into.push_back(std::move(c));
}

// A clause of `match`, which takes a value apart that is like the message `taken`. Null, if `f` is none.
std::optional<clause> match_clause(const context& at, const form& f, const form& matched, const type* of,
                                   const type* taken, const type* wanted) {
  const std::optional<arrow> a = arrow_of_clause(at, f);
  if (!a) return {};
  if (a->replies || a->express)
    at.said.error(20, f.parts[0].where, "`match` takes values apart, and they want no reply", "`=>` is expected");
  const std::string_view tag = tag_of(f.parts[1]);
  const std::size_t count = f.parts[1].parts.size() - (tag.empty() ? 0 : 1);
  clause c;
  c.where = f.where;
  c.takes = taken;
  std::vector<const type*> elements = taken->parts;
  if (of->is_error()) {
    elements.assign(count, at.types.unknown);
  } else if (taken->name != tag || taken->parts.size() != count) {
    at.said.error(50, f.parts[1].where, fmt::format("the value is {}", with_article(of)), "this pattern never fits")
        .notes.push_back({matched.where, "the value is here"});
    elements.assign(count, at.types.unknown);
    c.takes = nullptr;
  }
  read_clause(at, f, elements, c, wanted, false);
  return c;
}

}  // namespace

expression_ptr script_form(const context& at, const form& f, const type*) {
  auto e = made<tree::cases>(op::script, f, at.types.nothing);
  if (!at.ends_class) {
    at.said.error(57, f.where, "`script` stands at the end of a class", "not inside of another form")
        .help.push_back("inside of a clause, `wait-for` takes messages");
    return e;
  }
  for (std::size_t i = 1; i < f.parts.size(); ++i) accept_clause(at, f.parts[i], true, e->clauses, nullptr);
  warn_of_unreachable(e->clauses, at.said);
  return e;
}

expression_ptr wait_for_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::cases>(op::wait_for, f, at.types.unknown);
  if (at.in_function()) {
    at.said.error(59, f.where, "functions take no messages", "not here");
    return e;
  }
  may_act(at, f, "does not wait");
  const type* of = nullptr;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    const std::size_t before = e->clauses.size();
    accept_clause(at, f.parts[i], false, e->clauses, wanted);
    if (e->clauses.size() > before) of = joined(at, of, e->clauses.back().of);
  }
  warn_of_unreachable(e->clauses, at.said);
  if (of != nullptr) e->of = of;
  return e;
}

expression_ptr match_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::match>(op::match, f, at.types.unknown);
  e->value = value(as_operand(at), f.parts[1]);
  const type* const matched = e->value->of;
  const type* const taken = matched->is(type::kind::message) ? matched : at.types.message({}, {matched});
  const type* of = nullptr;
  for (std::size_t i = 2; i < f.parts.size(); ++i) {
    std::optional<clause> c = match_clause(at, f.parts[i], f.parts[1], matched, taken, wanted);
    if (!c) continue;
    of = joined(at, of, c->of);
    e->clauses.push_back(*std::move(c));
  }
  warn_of_unreachable(e->clauses, at.said);
  if (of != nullptr) e->of = of;
  return e;
}

}  // namespace abcl
