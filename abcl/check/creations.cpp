// Creations: (new Class argument ... :on node).
#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/expressions.hpp"
#include "abcl/check/form_rules.hpp"

namespace abcl {
namespace {

expression_ptr unknown_class(const context& at, const form& f, expression_ptr e) {
  const form& name = f.parts[1];
  diagnostic& d = at.said.error(31, name.where,
                                name.is(form::kind::symbol) ? fmt::format("there is no class `{}`", name.word)
                                                            : std::string("`new` is followed by the name of a class"),
                                "not a class");
  std::vector<std::string> known;
  for (const class_def& each : at.program.classes) known.emplace_back(each.name);
  if (const type_alias* const a = at.program.find_alias(name.word)) {
    d.help.push_back(fmt::format("`{}` is the name of a type; `new` takes the class itself", a->name));
  } else if (const std::string meant = nearest(name.word, known); !meant.empty())
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
  forgive(at, f);
  return e;
}

// The arguments of an object of `c`, and its node.
void read_arguments(const context& at, const form& f, const class_def& c, tree::create& e) {
  const auto on = std::find_if(f.parts.begin() + 2, f.parts.end(),
                               [](const form& part) { return part.is(form::kind::tag) && part.word == ":on"; });
  const auto end = static_cast<std::size_t>(on - f.parts.begin());
  const bool placed = on != f.parts.end();
  if (placed && end + 2 != f.parts.size()) {
    at.said.error(48, on->where, "`:on` is followed by a node, and ends the arguments",
                  "one number is expected behind it");
    return;
  }
  const std::size_t given = end - 2, wanted = c.arguments.size();
  if (given != wanted) {
    at.said
        .error(48, f.where, fmt::format("`{}` is created with {} argument{}", c.name, wanted, wanted == 1 ? "" : "s"),
               fmt::format("{} given", given))
        .notes.push_back({c.name_where, "the class is here"});
    forgive(at, f);
    return;
  }
  for (std::size_t i = 0; i < given; ++i) {
    e.arguments.push_back(value_as(at, f.parts[i + 2], c.arguments[i]->of,
                                   [&] { return fmt::format("argument {} of `{}`", i + 1, c.name); }));
  }
  if (placed) e.node = value_as(at, f.parts[end + 1], at.types.integer, "the node of `:on`");
}

}  // namespace

expression_ptr creation_form(const context& at, const form& f, const type*) {
  if (!at.in_first_value) may_act(at, f, "does not create objects");
  auto e = made<tree::create>(op::create, f, at.types.unknown);
  const form& name = f.parts[1];
  class_def* const c = name.is(form::kind::symbol) ? at.program.find_class(name.word) : nullptr;
  if (c == nullptr) return unknown_class(at, f, std::move(e));
  c->uses.push_back(name.where);
  e->of = c->of;
  e->of_class = c;
  if (at.types.is_open(c->of)) {
    forgive(at, f);
  } else {
    read_arguments(at, f, *c, *e);
  }
  return e;
}

}  // namespace abcl
