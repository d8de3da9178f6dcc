// Expressions: what each kind of form may be, and whether a value fits where it stands.
#include <fmt/format.h>

#include "abcl/check/checker.hpp"

namespace abcl {

std::string with_article(const type* t) {
  const std::string name = shown(t);
  switch (t->what) {
    case type::kind::nothing:
    case type::kind::nil:
      return name;
    case type::kind::message:
      return t->parts.empty() && t->name.empty() ? "the empty message []" : "a message " + name;
    case type::kind::object:
      return "an object " + name;
    case type::kind::reply:
      return "a reply destination " + name;
    default:
      return (name.find_first_of("AEIO") == 0 || name.starts_with("(a") ? "an " : "a ") + name;
  }
}

expression_ptr checker::made(op what, const form& f, const type* of) {
  auto e = std::make_unique<expression>();
  e->what = what;
  e->where = f.where;
  e->of = of;
  return e;
}

expression_ptr checker::wrong(const form& f) {
  forgive(f);
  return made(op::nil, f, types_.unknown);
}

// What stands in a form that is wrong counts as done, so that nobody misses it.
void checker::forgive(const form& f) {
  if (f.is(form::kind::symbol)) {
    if (variable* const v = find(f.word)) {
      v->uses.push_back(f.where);
      if (v->what == variable::kind::box) boxes_[v] = {types_.unknown, true};
    }
  }
  has_answered_ |= f.is(form::kind::reply);
  for (const form& part : f.parts) forgive(part);
}

// Nobody takes the value of `e`.
void checker::warn_if_ignored(const expression& e) {
  switch (e.what) {
    case op::choose:
      for (std::size_t i = 1; i < e.parts.size(); ++i) warn_if_ignored(*e.parts[i]);
      return;
    case op::sequence:
    case op::atomic:
    case op::let:
      if (!e.parts.empty() && e.parts.back() != nullptr && e.parts.size() > e.vars.size())
        warn_if_ignored(*e.parts.back());
      return;
    case op::match:
    case op::wait_for:
      for (const clause& c : e.clauses) {
        if (!c.body.empty()) warn_if_ignored(*c.body.back());
      }
      return;
    default:
      break;
  }
  const bool computes = e.what == op::compute || e.what == op::use || e.what == op::integer || e.what == op::real ||
                        e.what == op::text || e.what == op::boolean || e.what == op::me || e.what == op::element ||
                        (e.what == op::message && !e.parts.empty()) || e.what == op::length || e.what == op::is_null ||
                        (e.what == op::library && !e.of_library->acts);
  if (!computes || e.of->is_error()) return;
  diagnostic& d = said_.warning(105, e.where, "this value is ignored", "computed for nothing");
  if (e.what == op::message && e.parts.size() == 2)
    d.help.push_back("[a b] is a message; [name := value] assigns, [target <= message] sends");
}

const type* checker::join(const type* a, const type* b) {
  if (a == nullptr) return b;
  const type* const both = types_.join(a, b);
  return both != nullptr ? both : types_.empty;
}

bool checker::may_wait(const form& f, const char* what) {
  if (!in_guard_ && !in_function_ && !in_initial_) return true;
  said_
      .error(58, f.where,
             fmt::format("{} {}",
                         in_guard_      ? "a guard"
                         : in_function_ ? "a function"
                                        : "the value of a state variable",
                         what),
             "not here")
      .help.push_back("guards, functions and first values only compute");
  return false;
}

void checker::mismatch(const expression& e, const form& f, const type* wanted, const std::string& what_for) {
  if (e.of->is_error() || wanted->is_error()) return;
  diagnostic& d = said_.error(40, f.where, fmt::format("{} has to be {}", what_for, with_article(wanted)),
                              fmt::format("this is {}", with_article(e.of)));
  if (e.what == op::integer && wanted->is(type::kind::real)) {
    d.help.push_back(fmt::format("write {}.0", f.word));
  } else if (e.what == op::real && wanted->is(type::kind::integer)) {
    d.help.push_back("an Int is written without a point");
  } else if (e.what == op::choose && e.parts.size() == 2) {
    d.help.push_back("an `if` without an else has no value: (if condition then else)");
  } else if (e.of->is(type::kind::integer) && wanted->is(type::kind::real)) {
    d.help.push_back("(float n) makes a Float of an Int");
  } else if (e.of->is(type::kind::real) && wanted->is(type::kind::integer)) {
    d.help.push_back("(int x) makes an Int of a Float, without its fraction");
  } else if (e.of->is(type::kind::a_class) && wanted->is(type::kind::object)) {
    for (const type* m : wanted->parts) {
      if (!types_.fits(e.of, types_.object({m})))
        d.help.push_back(fmt::format("{} does not understand {}", shown(e.of), shown(m)));
    }
  } else if (e.what == op::message && e.parts.size() == 1 && e.of->name.empty() &&
             types_.fits(e.parts[0]->of, wanted)) {
    d.help.push_back("brackets make a message of it: leave them out");
  } else if (e.what == op::choose && e.parts.size() == 3 && !e.parts[1]->of->is_error() && e.of == types_.empty) {
    d.help.push_back(
        fmt::format("one branch is {}, the other {}", with_article(e.parts[1]->of), with_article(e.parts[2]->of)));
  } else if (e.what == op::past) {
    d.help.push_back("a past send `<=` has no value; a now send `<==` waits for the reply");
  }
}

expression_ptr checker::value_as(const form& f, const type* wanted, const std::string& what_for) {
  expression_ptr e = value(f, wanted);
  if (e->what == op::reply) {
    said_.error(55, f.where, "a reply has no value", fmt::format("{} has to be {}", what_for, with_article(wanted)));
  } else if (!types_.fits(e->of, wanted))
    mismatch(*e, f, wanted, what_for);
  return e;
}

// No script: that stands only at the end of a class.
expression_ptr checker::value(const form& f, const type* wanted) {
  const bool before = std::exchange(script_may_stand_, false);
  expression_ptr e = any_value(f, wanted);
  script_may_stand_ = before;
  return e;
}

expression_ptr checker::any_value(const form& f, const type* wanted) {
  using kind = form::kind;
  switch (f.what) {
    case kind::integer: {
      expression_ptr e = made(op::integer, f, types_.integer);
      e->integer = f.integer;
      return e;
    }
    case kind::real: {
      expression_ptr e = made(op::real, f, types_.real);
      e->real = f.real;
      return e;
    }
    case kind::text: {
      expression_ptr e = made(op::text, f, types_.text);
      e->text = f.text;
      return e;
    }
    case kind::symbol:
      return name(f);
    case kind::tag:
      said_.error(16, f.where, fmt::format("the tag `{}` stands alone", f.word), "tags begin messages")
          .help.push_back(fmt::format("[{}] is the message with this tag", f.word));
      return wrong(f);
    case kind::reply:
      return reply(f);
    case kind::round:
      return round(f, wanted);
    case kind::square:
      return square(f, wanted);
  }
  return wrong(f);
}

expression_ptr checker::name(const form& f) {
  if (f.word == "nil") return made(op::nil, f, types_.nil);
  if (f.word == "true" || f.word == "false") {
    expression_ptr e = made(op::boolean, f, types_.boolean);
    e->integer = f.word == "true" ? 1 : 0;
    return e;
  }
  if (f.word == "me") {
    if (in_class_ != nullptr) return made(op::me, f, in_class_->of);
    said_.error(59, f.where, "`me` is the object that runs, and functions have none", "not here");
    return wrong(f);
  }
  variable* const v = find(f.word);
  if (v == nullptr) {
    unknown_name(f);
    return wrong(f);
  }
  v->uses.push_back(f.where);
  if (v->what == variable::kind::box) {
    said_.error(54, f.where, fmt::format("`{}` waits for a reply and has no value of its own", f.word), "no value")
        .help.push_back(fmt::format("(@ {}) is the destination that others reply to", f.word));
    return wrong(f);
  }
  expression_ptr e = made(op::use, f, v->of);
  e->var = v;
  return e;
}

expression_ptr checker::round(const form& f, const type* wanted) {
  if (f.parts.empty()) {
    said_.error(16, f.where, "`()` means nothing", "an operator or a form is expected")
        .help.push_back("the empty message is `[]`");
    return wrong(f);
  }
  const form& head = f.parts[0];
  if (!head.is(form::kind::symbol)) {
    diagnostic& d = said_.error(16, head.where, "round brackets begin with an operator, a form or a function",
                                "this is none of them");
    if (head.is(form::kind::reply)) d.help.push_back("a reply is written !value, without brackets; `/=` compares");
    return wrong(f);
  }
  if (f.parts.size() == 3 && f.parts[1].is_symbol(":=")) {
    said_.error(19, f.where, "an assignment stands in square brackets", fmt::format("[{} := value]", head.word));
    return wrong(f);
  }
  const auto found = specials().find(head.word);
  if (found == specials().end()) return call(f);
  const special& s = found->second;
  const std::size_t given = f.parts.size() - 1;
  if (given < s.least || given > s.most) {
    said_
        .error(17, f.where, fmt::format("`{}` has {} parts", head.word, given < s.least ? "too few" : "too many"),
               fmt::format("{} given", given))
        .help.push_back(fmt::format("it is written {}", s.usage));
    return wrong(f);
  }
  return (this->*s.check)(f, wanted);
}

expression_ptr checker::square(const form& f, const type* wanted) {
  if (!f.parts.empty() && f.parts[0].is(form::kind::symbol) && specials().contains(f.parts[0].word) &&
      find(f.parts[0].word) == nullptr) {
    const std::string_view name = f.parts[0].word;
    said_
        .error(16, f.where, fmt::format("`{}` stands in round brackets", name),
               "square ones make messages, sends and assignments")
        .help.push_back(fmt::format("it is written {}", specials().at(name).usage));
    return wrong(f);
  }
  if (f.begins_with("class")) {
    said_.error(10, f.where, "a class inside of another", "classes stand side by side")
        .help.push_back("is a bracket missing before it?");
    return wrong(f);
  }
  if (f.parts.size() >= 2 && f.parts[1].is(form::kind::symbol)) {
    const std::string_view middle = f.parts[1].word;
    if (middle == ":=") return assignment(f);
    if (middle == "<=") return send(f, op::past, false);
    if (middle == "<==") return send(f, op::now, false);
    if (middle == "<<=") return send(f, op::past, true);
    if (middle == "<<==") return send(f, op::now, true);
    if (middle == "=" || middle == "<-" || middle == "=:") {
      const bool sends = middle == "<-" && f.parts.size() == 3 && f.parts[2].is(form::kind::square);
      said_.error(19, f.parts[1].where, fmt::format("`{}` does not {}", middle, sends ? "send" : "assign"),
                  sends ? "`<=` does, and `<==` waits for the reply" : "`:=` does");
      return wrong(f);
    }
    if (f.parts.size() == 3 && (middle == "=>" || middle == "->")) {
      said_.error(18, f.parts[1].where, fmt::format("`{}` does not send", middle),
                  "`<=` does, and `<==` waits for the reply");
      return wrong(f);
    }
  }
  return message(f, wanted);
}

expression_ptr checker::assignment(const form& f) {
  if (f.parts.size() != 3) {
    said_.error(19, f.where, "an assignment is a place, `:=` and a value", "[place := value] is expected");
    return wrong(f);
  }
  if (in_guard_) {
    may_wait(f, "does not assign");
    return wrong(f);
  }
  expression_ptr e = made(op::assign, f, types_.empty);
  const form& to = f.parts[0];
  const bool is_name = to.is(form::kind::symbol);
  if (!is_name && !to.begins_with("aref")) {
    said_.error(19, to.where, "this cannot be assigned to", "a variable or (aref array index) is expected");
    return wrong(f);
  }
  expression_ptr place = value(to);
  if (is_name && place->var != nullptr) {
    place->var->uses.pop_back();  // it is written, not read
    place->var->changes.push_back(to.where);
    if (!place->var->may_be_assigned()) {
      diagnostic& d = said_.error(56, to.where, fmt::format("`{}` cannot be assigned to", to.word),
                                  place->var->what == variable::kind::counter   ? "the loop counts it"
                                  : place->var->what == variable::kind::pattern ? "a message has brought it"
                                                                                : "an argument of a function");
      d.notes.push_back({place->var->where, "it is made here"});
      d.help.push_back(fmt::format("(let ((T other {})) ...) makes a variable of it", to.word));
      place->var->uses.push_back(to.where);
    }
  } else if (is_name && !place->of->is_error()) {
    said_.error(56, to.where, fmt::format("`{}` cannot be assigned to", to.word), "it is no variable");
    place->of = types_.unknown;
  }
  expression_ptr v =
      value_as(f.parts[2], place->of,
               is_name ? fmt::format("what `{}` holds", to.word) : std::string("an element of this array"));
  e->parts.push_back(std::move(place));
  e->parts.push_back(std::move(v));
  return e;
}

expression_ptr checker::reply(const form& f) {
  expression_ptr e = made(op::reply, f, types_.nothing);
  if (in_guard_ || in_function_ || in_initial_) {
    may_wait(f, "does not reply");
    return e;
  }
  if (answers_ == nullptr) {
    said_.error(45, f.where, "there is nobody to reply to", "`!` answers the message of a `==>` clause")
        .help.push_back("write the clause with `==>`, or send to a reply destination: [r <= value]");
    value(f.parts[0]);
    return e;
  }
  has_answered_ = true;
  e->parts.push_back(value_as(f.parts[0], answers_, "the reply"));
  return e;
}

const type* checker::sequence(const form& f, std::size_t first, std::vector<expression_ptr>& into, const type* wanted) {
  const type* of = types_.empty;
  for (std::size_t i = first; i < f.parts.size(); ++i) {
    const bool last = i + 1 == f.parts.size();
    into.push_back(value(f.parts[i], last ? wanted : nullptr));
    of = into.back()->of;
    if (!last) warn_if_ignored(*into.back());
  }
  return of;
}

}  // namespace abcl
