#include "abcl/check/expressions.hpp"

#include <fmt/format.h>

#include "abcl/check/assignments.hpp"
#include "abcl/check/calls.hpp"
#include "abcl/check/messages.hpp"
#include "abcl/check/operators.hpp"
#include "abcl/check/sends.hpp"
#include "abcl/check/special_forms.hpp"

namespace abcl {

expression_ptr wrong(const context& at, const form& f) {
  forgive(at, f);
  return made(op::nil, f, at.types.unknown);
}

void forgive(const context& at, const form& f) {
  if (f.is(form::kind::symbol)) {
    if (variable* const v = at.names.find(f.word)) {
      v->uses.push_back(f.where);
      if (v->what == variable::kind::box) at.names.box(*v) = {at.types.unknown, true};
    }
  }
  if (at.owed != nullptr) at.owed->given |= f.is(form::kind::reply);
  for (const form& part : f.parts) forgive(at, part);
}

namespace {

expression_ptr name(const context& at, const form& f) {
  if (f.word == "nil") return made(op::nil, f, at.types.nil);
  if (f.word == "true" || f.word == "false") {
    auto e = made<tree::integer>(op::boolean, f, at.types.boolean);
    e->value = f.word == "true" ? 1 : 0;
    return e;
  }
  if (f.word == "me") {
    if (at.in_class != nullptr) return made(op::me, f, at.in_class->of.of);
    at.said.error(59, f.where, "`me` is the object that runs, and functions have none", "not here");
    return wrong(at, f);
  }
  variable* const v = at.names.find(f.word);
  if (v == nullptr) {
    at.names.say_unknown(f);
    return wrong(at, f);
  }
  v->uses.push_back(f.where);
  if (v->what == variable::kind::box) {
    at.said.error(54, f.where, fmt::format("`{}` waits for a reply and has no value of its own", f.word), "no value")
        .help.push_back(fmt::format("(@ {}) is the destination that others reply to", f.word));
    return wrong(at, f);
  }
  auto e = made<tree::name>(op::use, f, v->of);
  e->var = v;
  return e;
}

expression_ptr reply(const context& at, const form& f) {
  auto e = made<tree::unary>(op::reply, f, at.types.nothing);
  if (at.in_guard || at.in_function() || at.in_first_value) {
    may_act(at, f, "does not reply");
    return e;
  }
  if (at.owed == nullptr) {
    at.said.error(45, f.where, "there is nobody to reply to", "`!` answers the message of a `==>` clause")
        .help.push_back("write the clause with `==>`, or send to a reply destination: [r <= value]");
    value(at, f.parts[0]);
    return e;
  }
  at.owed->given = true;
  e->operand = value_as(at, f.parts[0], at.owed->of, "the reply");
  return e;
}

expression_ptr round(const context& at, const form& f, const type* wanted) {
  if (f.parts.empty()) {
    at.said.error(16, f.where, "`()` means nothing", "an operator or a form is expected")
        .help.push_back("the empty message is `[]`");
    return wrong(at, f);
  }
  const form& head = f.parts[0];
  if (!head.is(form::kind::symbol)) {
    diagnostic& d = at.said.error(16, head.where, "round brackets begin with an operator, a form or a function",
                                  "this is none of them");
    if (head.is(form::kind::reply)) d.help.push_back("a reply is written !value, without brackets; `/=` compares");
    return wrong(at, f);
  }
  if (f.parts.size() == 3 && f.parts[1].is_symbol(":=")) {
    at.said.error(19, f.where, "an assignment stands in square brackets", fmt::format("[{} := value]", head.word));
    return wrong(at, f);
  }
  const special_form* const special = find_special_form(head.word);
  if (special == nullptr) {
    const known_operator* const found = find_operator(head.word);
    const context inside = as_operand(at);
    return found != nullptr ? found->check(inside, f, found->does) : call(inside, f);
  }
  const std::size_t given = f.parts.size() - 1;
  if (given < special->least || given > special->most) {
    at.said
        .error(17, f.where,
               fmt::format("`{}` has {} parts", head.word, given < special->least ? "too few" : "too many"),
               fmt::format("{} given", given))
        .help.push_back(fmt::format("it is written {}", special->usage));
    return wrong(at, f);
  }
  return special->check(special->executes ? at : as_operand(at), f, wanted);
}

expression_ptr square(const context& at, const form& f, const type* wanted) {
  const special_form* const special =
      !f.parts.empty() && f.parts[0].is(form::kind::symbol) ? find_special_form(f.parts[0].word) : nullptr;
  if (special != nullptr && at.names.find(special->name) == nullptr) {
    at.said
        .error(16, f.where, fmt::format("`{}` stands in round brackets", special->name),
               "square ones make messages, sends and assignments")
        .help.push_back(fmt::format("it is written {}", special->usage));
    return wrong(at, f);
  }
  if (f.begins_with("class")) {
    at.said.error(10, f.where, "a class inside of another", "classes stand side by side")
        .help.push_back("is a bracket missing before it?");
    return wrong(at, f);
  }
  if (f.parts.size() >= 2 && f.parts[1].is(form::kind::symbol)) {
    const std::string_view middle = f.parts[1].word;
    if (middle == ":=") return assignment(at, f);
    if (middle == "<=") return send(at, f, op::past, false);
    if (middle == "<==") return send(at, f, op::now, false);
    if (middle == "<<=") return send(at, f, op::past, true);
    if (middle == "<<==") return send(at, f, op::now, true);
    if (middle == "=" || middle == "<-" || middle == "=:") {
      const bool sends = middle == "<-" && f.parts.size() == 3 && f.parts[2].is(form::kind::square);
      at.said.error(19, f.parts[1].where, fmt::format("`{}` does not {}", middle, sends ? "send" : "assign"),
                    sends ? "`<=` does, and `<==` waits for the reply" : "`:=` does");
      return wrong(at, f);
    }
    if (f.parts.size() == 3 && (middle == "=>" || middle == "->")) {
      at.said.error(18, f.parts[1].where, fmt::format("`{}` does not send", middle),
                    "`<=` does, and `<==` waits for the reply");
      return wrong(at, f);
    }
  }
  return message(at, f, wanted);
}

expression_ptr any_form(const context& at, const form& f, const type* wanted) {
  using kind = form::kind;
  switch (f.what) {
    case kind::integer: {
      auto e = made<tree::integer>(op::integer, f, at.types.integer);
      e->value = f.integer;
      return e;
    }
    case kind::real: {
      auto e = made<tree::real>(op::real, f, at.types.real);
      e->value = f.real;
      return e;
    }
    case kind::text: {
      auto e = made<tree::text>(op::text, f, at.types.text);
      e->value = f.text;
      return e;
    }
    case kind::symbol:
      return name(at, f);
    case kind::tag:
      at.said.error(16, f.where, fmt::format("the tag `{}` stands alone", f.word), "tags begin messages")
          .help.push_back(fmt::format("[{}] is the message with this tag", f.word));
      return wrong(at, f);
    case kind::reply:
      return reply(as_operand(at), f);
    case kind::round:
      return round(at, f, wanted);
    case kind::square:
      return square(as_operand(at), f, wanted);
  }
  return wrong(at, f);
}

}  // namespace

expression_ptr form_of_class(const context& at, const form& f) {
  context inside = at;
  inside.ends_class = true;
  return any_form(inside, f, nullptr);
}

expression_ptr value(const context& at, const form& f, const type* wanted) {
  if (!at.ends_class) return any_form(at, f, wanted);
  context inside = at;
  inside.ends_class = false;
  return any_form(inside, f, wanted);
}

const type* sequence(const context& at, const form& f, std::size_t first, expressions& into, const type* wanted) {
  const type* of = at.types.empty;
  if (first < f.parts.size()) into.reserve(into.size() + f.parts.size() - first);
  for (std::size_t i = first; i < f.parts.size(); ++i) {
    const bool last = i + 1 == f.parts.size();
    into.push_back(value(at, f.parts[i], last ? wanted : nullptr));
    of = into.back()->of;
    if (!last) warn_if_ignored(*into.back(), at.said);
  }
  return of;
}

}  // namespace abcl
