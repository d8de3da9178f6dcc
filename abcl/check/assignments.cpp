#include "abcl/check/assignments.hpp"

#include <fmt/format.h>

#include "abcl/check/expressions.hpp"

namespace abcl {
namespace {

void forbid_changes(const context& at, const form& name, variable& v) {
  diagnostic& d = at.said.error(56, name.where, fmt::format("`{}` cannot be assigned to", name.word),
                                v.what == variable::kind::counter   ? "the loop counts it"
                                : v.what == variable::kind::pattern ? "a message has brought it"
                                                                    : "an argument of a function");
  d.notes.push_back({v.where, "it is made here"});
  d.help.push_back(fmt::format("(let ((T other {})) ...) makes a variable of it", name.word));
  v.uses.push_back(name.where);
}

// The variable `name`, which is written.
expression_ptr assigned_name(const context& at, const form& name) {
  expression_ptr place = value(at, name);
  if (const auto* const use = try_as<tree::name>(*place)) {
    variable* const v = use->var;
    v->uses.pop_back();  // it is not read
    v->changes.push_back(name.where);
    if (!v->may_be_assigned()) forbid_changes(at, name, *v);
  } else if (!place->of->is_error()) {
    at.said.error(56, name.where, fmt::format("`{}` cannot be assigned to", name.word), "it is no variable");
    place->of = at.types.unknown;
  }
  return place;
}

}  // namespace

expression_ptr assignment(const context& at, const form& f) {
  if (f.parts.size() != 3) {
    at.said.error(19, f.where, "an assignment is a place, `:=` and a value", "[place := value] is expected");
    return wrong(at, f);
  }
  if (at.in_guard) {
    may_act(at, f, "does not assign");
    return wrong(at, f);
  }
  const form& to = f.parts[0];
  const bool is_name = to.is(form::kind::symbol);
  const bool is_part = to.begins_with("subarray");
  if (!is_name && !is_part && !to.begins_with("aref")) {
    at.said.error(19, to.where, "this cannot be assigned to",
                  "a variable, (aref array index) or (subarray array from to) is expected");
    return wrong(at, f);
  }
  auto e = made<tree::assign>(op::assign, f, at.types.empty);
  e->place = is_name ? assigned_name(at, to) : value(at, to);
  e->value = value_as(at, f.parts[2], e->place->of, [&] {
    if (is_name) return fmt::format("what `{}` holds", to.word);
    return std::string(is_part ? "what is put into a part of this array" : "an element of this array");
  });
  return e;
}

}  // namespace abcl
