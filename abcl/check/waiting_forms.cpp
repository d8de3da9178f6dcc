// Reply boxes, which `sync` waits for, and futures.
//
// A box takes whatever its destination `(@ r)` is expected to take: where an (@ S) is expected, values of S may come.
// So the type of the box is the least that all of these fit. It is known only behind the forms of the `sync`.
#include <fmt/format.h>

#include "abcl/check/expressions.hpp"
#include "abcl/check/form_rules.hpp"

namespace abcl {

namespace {

variable* open_box(const context& at, const form& name) {
  return at.names.declare(variable::kind::box, name, at.types.unknown);
}

void close_box(const context& at, variable& box) {
  const auto [of, given] = at.names.box(box);
  if (of != nullptr) box.of = of;
  if (!given && !box.name.empty())
    at.said.error(54, box.where, fmt::format("nobody can reply to `{}`", box.name), "it would be waited for for ever")
        .help.push_back(
            fmt::format("give (@ {}) to somebody in this form, as the last element of a message", box.name));
}

}  // namespace

expression_ptr destination_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::name>(op::destination, f, at.types.unknown);
  const form& name = f.parts[1];
  variable* const box = name.is(form::kind::symbol) ? at.names.find(name.word) : nullptr;
  if (box == nullptr || box->what != variable::kind::box) {
    diagnostic& d = at.said.error(54, name.where, "`@` takes the name of a reply box", "this is none");
    if (box != nullptr) {
      d.notes.push_back({box->where, "it is a variable"});
      if (box->of->is(type::kind::reply))
        d.help.push_back(fmt::format("it is a destination already: write {}", name.word));
    } else {
      d.help.push_back("(sync r form ...) makes a reply box `r` and waits for what is put there");
    }
    return e;
  }
  box->uses.push_back(name.where);
  e->var = box;
  auto& [of, given] = at.names.box(*box);
  given = true;
  if (wanted == nullptr) {
    at.said.error(54, f.where, "what this destination takes is not known here", "no reply destination is expected")
        .help.push_back("it may stand as an element of a message or an argument of type (@ T)");
    of = at.types.unknown;
    return e;
  }
  if (wanted->is_error()) {
    of = at.types.unknown;
    return e;
  }
  if (!wanted->is(type::kind::reply)) {
    at.said.error(40, f.where, fmt::format("{} is expected here", with_article(wanted)), "this is a reply destination");
    of = at.types.unknown;
    return e;
  }
  const type* const both = of == nullptr ? wanted->of() : at.types.join(of, wanted->of());
  if (both == nullptr) {
    at.said.error(54, f.where, fmt::format("`{}` gets values of different types", box->name),
                  fmt::format("{} here, {} elsewhere", with_article(wanted->of()), with_article(of)));
    of = at.types.unknown;
  } else {
    of = both;
  }
  e->of = wanted;
  return e;
}

// `sync` drops the values of its forms; `sync2` has two, and that of the second stands beside that of the box.
expression_ptr sync_form(const context& at, const form& f, const type*) {
  const bool two = f.parts[0].word == "sync2";
  auto e = made<tree::sync>(two ? op::sync2 : op::sync, f, at.types.unknown);
  may_act(at, f, "does not wait");
  const environment::scope scope(at.names);
  variable& box = *open_box(at, f.parts[1]);
  e->boxes.push_back(&box);
  if (two) {
    e->body.push_back(value(at, f.parts[2]));
    e->last = value(at, f.parts[3]);
  } else {
    sequence(at, f, 2, e->body, nullptr);
  }
  close_box(at, box);
  e->of = two ? at.types.message({}, {box.of, e->last->of}) : box.of;
  return e;
}

expression_ptr sync_all_form(const context& at, const form& f, const type*) {
  auto e = made<tree::sync>(op::sync_all, f, at.types.unknown);
  may_act(at, f, "does not wait");
  const std::vector<form>& names = f.parts[1].parts;
  if (!f.parts[1].is(form::kind::round) || names.empty()) {
    at.said.error(17, f.parts[1].where, "`sync*` begins with the names of its boxes", "(name ...) is expected");
    return e;
  }
  const std::size_t given = f.parts.size() - 2;
  if (given != names.size() && given != names.size() + 1)
    at.said
        .error(17, f.where,
               fmt::format("`sync*` with {} boxes has {} or {} forms", names.size(), names.size(), names.size() + 1),
               fmt::format("{} given", given))
        .help.push_back("the value of one form more stands behind those of the boxes");
  const environment::scope scope(at.names);
  for (const form& n : names) e->boxes.push_back(open_box(at, n));
  sequence(at, f, 2, e->body, nullptr);
  if (given > names.size()) {
    e->last = std::move(e->body.back());
    e->body.pop_back();
  }
  std::vector<const type*> of;
  for (variable* box : e->boxes) {
    close_box(at, *box);
    of.push_back(box->of);
  }
  if (e->last != nullptr) of.push_back(e->last->of);
  e->of = at.types.message({}, std::move(of));
  return e;
}

expression_ptr make_future_form(const context& at, const form& f, const type* wanted) {
  expression_ptr e = made(op::make_future, f, at.types.unknown);
  if (wanted != nullptr && (wanted->is(type::kind::future) || wanted->is_error())) {
    e->of = wanted;
  } else {
    at.said.error(61, f.where, "what this future will hold is not known here", "of what?")
        .help.push_back("give it to a variable with a type: (let (((future Int) f (make-future))) ...)");
  }
  return e;
}

expression_ptr of_future_form(const context& at, const form& f, const type*) {
  const std::string_view what = f.parts[0].word;
  auto e = made<tree::unary>(what == "touch"    ? op::touch
                             : what == "ready?" ? op::is_ready
                                                : op::next_value,
                             f, at.types.unknown);
  if (e->what != op::is_ready) may_act(at, f, "does not wait");
  e->operand = value(at, f.parts[1]);
  const type* const of = e->operand->of;
  if (of->is(type::kind::future)) {
    e->of = e->what == op::is_ready ? at.types.boolean : of->of();
  } else if (!of->is_error()) {
    at.said.error(61, f.parts[1].where, fmt::format("`{}` takes a future", what),
                  fmt::format("this is {}", with_article(of)));
  }
  return e;
}

}  // namespace abcl
