// The forms with rules of their own that neither send nor wait for messages.
#include <fmt/format.h>

#include <limits>

#include "abcl/check/checker.hpp"

namespace abcl {

const std::map<std::string_view, checker::special>& checker::specials() {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  static const std::map<std::string_view, special> all = {
      {"if", {&checker::special_if, 2, 3, "(if condition then) or (if condition then else)"}},
      {"begin", {&checker::special_begin, 0, any, "(begin form ...)"}},
      {"while", {&checker::special_while, 1, any, "(while condition form ...)"}},
      {"for", {&checker::special_for, 1, any, "(for (name first end) form ...)"}},
      {"let", {&checker::special_let, 1, any, "(let ((Type name value) ...) form ...)"}},
      {"atomic", {&checker::special_atomic, 0, any, "(atomic form ...)"}},
      {"exit", {&checker::special_exit, 1, 1, "(exit code)"}},
      {"suicide", {&checker::special_leave, 0, 0, "(suicide)"}},
      {"non-resume", {&checker::special_leave, 0, 0, "(non-resume)"}},
      {"expect", {&checker::special_expect, 1, 1, "(expect condition)"}},
      {"print", {&checker::special_print, 0, any, "(print value ...)"}},
      {"my-node", {&checker::special_node, 0, 0, "(my-node)"}},
      {"num-node", {&checker::special_node, 0, 0, "(num-node)"}},
      {"make-array", {&checker::special_array, 2, 2, "(make-array length value)"}},
      {"aref", {&checker::special_element, 2, 2, "(aref array index)"}},
      {"length", {&checker::special_length, 1, 1, "(length array)"}},
      {"null?", {&checker::special_null, 1, 1, "(null? object)"}},
      {"new", {&checker::creation, 1, any, "(new Class argument ...) or (new Class argument ... :on node)"}},
      {"sync", {&checker::special_sync, 2, any, "(sync name form ...)"}},
      {"sync2", {&checker::special_sync, 3, 3, "(sync2 name first second)"}},
      {"sync*", {&checker::special_sync_all, 2, any, "(sync* (name ...) form ...)"}},
      {"@", {&checker::special_destination, 1, 1, "(@ name)"}},
      {"make-future", {&checker::special_make_future, 0, 0, "(make-future)"}},
      {"touch", {&checker::special_of_future, 1, 1, "(touch future)"}},
      {"next-value", {&checker::special_of_future, 1, 1, "(next-value future)"}},
      {"ready?", {&checker::special_of_future, 1, 1, "(ready? future)"}},
      {"match", {&checker::special_match, 2, any, "(match value (=> [name ...] form ...) ...)"}},
      {"script", {&checker::special_script, 0, any, "(script (==> [name ...] form ...) ...)"}},
      {"wait-for", {&checker::special_wait_for, 1, any, "(wait-for (=> [name ...] form ...) ...)"}},
  };
  return all;
}

std::vector<std::string_view> checker::form_names() {
  std::vector<std::string_view> all;
  for (const auto& [name, s] : specials()) all.push_back(name);
  return all;
}

expression_ptr checker::special_if(const form& f, const type* wanted) {
  expression_ptr e = made(op::choose, f, types_.empty);
  e->parts.push_back(value_as(f.parts[1], types_.boolean, "a condition"));
  e->parts.push_back(value(f.parts[2], wanted));
  if (f.parts.size() == 4) {
    e->parts.push_back(value(f.parts[3], wanted));
    e->of = join(e->parts[1]->of, e->parts[2]->of);
  } else if (e->parts[1]->of->is_error()) {
    e->of = types_.unknown;
  }
  return e;
}

expression_ptr checker::special_begin(const form& f, const type* wanted) {
  expression_ptr e = made(op::sequence, f, nullptr);
  e->of = sequence(f, 1, e->parts, wanted);
  return e;
}

expression_ptr checker::special_while(const form& f, const type*) {
  expression_ptr e = made(op::loop, f, types_.empty);
  e->parts.push_back(value_as(f.parts[1], types_.boolean, "a condition"));
  sequence(f, 2, e->parts, nullptr);
  if (e->parts.size() > 1) warn_if_ignored(*e->parts.back());
  return e;
}

expression_ptr checker::special_for(const form& f, const type*) {
  expression_ptr e = made(op::count, f, types_.empty);
  const form& head = f.parts[1];
  if (!head.is(form::kind::round) || head.parts.size() != 3) {
    said_.error(17, head.where, "`for` counts a name from a first value to below an end",
                "(name first end) is expected");
    return wrong(f);
  }
  e->parts.push_back(value_as(head.parts[1], types_.integer, "the first value of `for`"));
  e->parts.push_back(value_as(head.parts[2], types_.integer, "the end of `for`"));
  begin_scope();
  e->vars.push_back(declare(variable::kind::counter, head.parts[0], types_.integer));
  sequence(f, 2, e->parts, nullptr);
  if (e->parts.size() > 2) warn_if_ignored(*e->parts.back());
  end_scope();
  return e;
}

expression_ptr checker::special_let(const form& f, const type* wanted) {
  expression_ptr e = made(op::let, f, nullptr);
  if (!f.parts[1].is(form::kind::round)) {
    said_.error(17, f.parts[1].where, "`let` begins with a list of variables", "((Type name value) ...) is expected");
    return wrong(f);
  }
  begin_scope();
  for (const form& v : f.parts[1].parts) {
    if (!v.is(form::kind::round) || v.parts.size() < 2 || v.parts.size() > 3) {
      said_.error(17, v.where, "a variable of `let` is a type, a name and a value", "(Type name value) is expected");
      declare_names_of(v);
      continue;
    }
    const bool no_type = v.parts.size() == 2 && v.parts[0].is(form::kind::symbol) && !v.parts[1].is(form::kind::symbol);
    if (no_type) {
      said_.error(17, v.where, "a variable of `let` begins with its type",
                  fmt::format("(Type {} value) is expected", v.parts[0].word));
      declare_names_of(v);
      continue;
    }
    const type* const of = type_of(v.parts[0]);
    expression_ptr first;
    if (v.parts.size() == 3) first = value_as(v.parts[2], of, fmt::format("`{}`", v.parts[1].word));
    e->vars.push_back(declare(variable::kind::local, v.parts[1], of));
    e->parts.push_back(std::move(first));
  }
  e->of = sequence(f, 2, e->parts, wanted);
  end_scope();
  return e;
}

expression_ptr checker::special_atomic(const form& f, const type* wanted) {
  expression_ptr e = made(op::atomic, f, nullptr);
  e->of = sequence(f, 1, e->parts, wanted);
  return e;
}

expression_ptr checker::special_exit(const form& f, const type*) {
  expression_ptr e = made(op::exit, f, types_.nothing);
  may_wait(f, "does not end the program");
  e->parts.push_back(value_as(f.parts[1], types_.integer, "the code of `exit`"));
  return e;
}

expression_ptr checker::special_leave(const form& f, const type*) {
  const bool suicide = f.parts[0].word == "suicide";
  if (in_class_ == nullptr) {
    said_.error(59, f.where,
                fmt::format("`{}` concerns the object that runs, and functions have none", f.parts[0].word),
                "not here");
  } else if (!suicide && !in_express_) {
    said_.error(60, f.where, "`non-resume` ends what an express message has interrupted", "this clause is not express")
        .help.push_back("express clauses begin with `=>>` or `==>>`");
  } else {
    may_wait(f, suicide ? "does not end its object" : "interrupts nobody");
  }
  return made(suicide ? op::suicide : op::non_resume, f, types_.nothing);
}

expression_ptr checker::special_expect(const form& f, const type*) {
  expression_ptr e = made(op::expect, f, types_.empty);
  if (!in_function_) may_wait(f, "does not end the program");
  e->parts.push_back(value_as(f.parts[1], types_.boolean, "what is expected"));
  return e;
}

expression_ptr checker::special_print(const form& f, const type*) {
  expression_ptr e = made(op::print, f, types_.empty);
  if (!in_function_) may_wait(f, "does not print");
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->parts.push_back(value(f.parts[i]));
    if (e->parts.back()->of->is(type::kind::future))
      said_.error(55, f.parts[i].where, "a future cannot be printed", "(touch future) is its value");
    if (e->parts.back()->of->is(type::kind::nothing))
      said_.error(55, f.parts[i].where, "this has no value to print", "no value");
  }
  return e;
}

expression_ptr checker::special_node(const form& f, const type*) {
  return made(f.parts[0].word == "my-node" ? op::my_node : op::node_count, f, types_.integer);
}

expression_ptr checker::special_array(const form& f, const type* wanted) {
  expression_ptr e = made(op::make_array, f, types_.unknown);
  e->parts.push_back(value_as(f.parts[1], types_.integer, "the length of an array"));
  if (wanted != nullptr && wanted->is_error()) {
    e->parts.push_back(value(f.parts[2], wanted));
    return e;
  }
  const bool known = wanted != nullptr && wanted->is(type::kind::array);
  if (known) {
    e->parts.push_back(value_as(f.parts[2], wanted->of(), "an element of this array"));
    e->of = wanted;
    return e;
  }
  e->parts.push_back(value(f.parts[2]));
  const type* const element = e->parts[1]->of;
  if (element->is(type::kind::nil) || element->is(type::kind::nothing)) {
    said_.error(62, f.parts[2].where, "the type of this array's elements is not known", "of what?")
        .help.push_back("give the array to a variable with a type first");
    return e;
  }
  if (!element->is_error()) e->of = types_.array(element);
  return e;
}

expression_ptr checker::special_element(const form& f, const type*) {
  expression_ptr e = made(op::element, f, types_.unknown);
  e->parts.push_back(value(f.parts[1]));
  const type* const array = e->parts[0]->of;
  if (array->is(type::kind::array)) {
    e->of = array->of();
  } else if (!array->is_error()) {
    said_.error(62, f.parts[1].where, "`aref` takes an array", fmt::format("this is {}", with_article(array)));
  }
  e->parts.push_back(value_as(f.parts[2], types_.integer, "an index"));
  return e;
}

expression_ptr checker::special_length(const form& f, const type*) {
  expression_ptr e = made(op::length, f, types_.integer);
  e->parts.push_back(value(f.parts[1]));
  const type* const of = e->parts[0]->of;
  if (!of->is(type::kind::array) && !of->is(type::kind::text) && !of->is_error())
    said_.error(62, f.parts[1].where, "`length` takes an array or a Str", fmt::format("this is {}", with_article(of)));
  return e;
}

expression_ptr checker::special_null(const form& f, const type*) {
  expression_ptr e = made(op::is_null, f, types_.boolean);
  e->parts.push_back(value(f.parts[1]));
  const type* const of = e->parts[0]->of;
  if (!types_.fits(types_.nil, of))
    said_.error(40, f.parts[1].where, "`null?` takes an object or a reply destination",
                fmt::format("this is {}, which is never nil", with_article(of)));
  return e;
}

}  // namespace abcl
