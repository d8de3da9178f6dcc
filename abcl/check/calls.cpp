#include "abcl/check/calls.hpp"

#include <fmt/format.h>

#include "abcl/check/expressions.hpp"
#include "abcl/check/operators.hpp"
#include "abcl/check/other_words.hpp"
#include "abcl/check/special_forms.hpp"

namespace abcl {
namespace {

std::string may_be_meant(const context& at, std::string_view name) {
  std::vector<std::string> known;
  for (const special_form& each : special_forms()) known.emplace_back(each.name);
  for (const known_operator& each : operators()) known.emplace_back(each.name);
  for (const library_function& each : library_functions()) known.emplace_back(each.name);
  for (const function_def& each : at.program.functions) known.emplace_back(each.name);
  return nearest(name, known);
}

expression_ptr unknown_call(const context& at, const form& f) {
  const form& head = f.parts[0];
  diagnostic& d =
      at.said.error(32, head.where, fmt::format("there is no form or function `{}`", head.word), "not known");
  if (const char* const here = said_here(head.word)) {
    d.help.push_back(here);
  } else if (f.parts.size() == 3 && f.parts[1].is(form::kind::symbol) && find_operator(f.parts[1].word) != nullptr) {
    d.help.push_back(fmt::format("the operator stands first: ({} {} ...)", f.parts[1].word, head.word));
  } else if (at.program.find_class(head.word) != nullptr) {
    d.help.push_back(fmt::format("`{}` is a class; (new {} ...) makes an object of it", head.word, head.word));
  } else if (head.word == "class") {
    d.help.push_back("classes stand in square brackets, beside each other");
  } else if (head.word == "function" || head.word == "foreign" || head.word == "use" || head.word == "type") {
    d.help.push_back(fmt::format("`{}` stands beside classes", head.word));
  } else if (at.names.find(head.word) != nullptr) {
    d.help.push_back("it is a variable; a send stands in square brackets: [target <= message]");
  } else if (const std::string meant = may_be_meant(at, head.word); !meant.empty()) {
    d.help.push_back(fmt::format("did you mean `{}`?", meant));
  }
  return wrong(at, f);
}

// Null if the call `f` has as many arguments as the function takes.
template <class Function>
diagnostic* wrong_count(const context& at, const form& f, const Function& called) {
  const std::size_t given = f.parts.size() - 1, wanted = called.arguments.size();
  if (given == wanted) return nullptr;
  diagnostic& d =
      at.said.error(49, f.where, fmt::format("`{}` takes {} argument{}", called.name, wanted, wanted == 1 ? "" : "s"),
                    fmt::format("{} given", given));
  forgive(at, f);
  return &d;
}

expression_ptr argument(const context& at, const form& f, std::size_t i, const type* wanted,
                        std::string_view function) {
  return value_as(at, f.parts[i + 1], wanted, [&] { return fmt::format("argument {} of `{}`", i + 1, function); });
}

expression_ptr program_call(const context& at, const form& f, function_def& called) {
  called.uses.push_back(f.parts[0].where);
  auto e = made<tree::call>(op::call, f, called.result);
  e->function = &called;
  if (diagnostic* const d = wrong_count(at, f, called)) {
    d->notes.push_back({called.name_where, "defined here"});
    return e;
  }
  for (std::size_t i = 0; i < called.arguments.size(); ++i)
    e->arguments.push_back(argument(at, f, i, called.arguments[i]->of, called.name));
  return e;
}

expression_ptr library_call(const context& at, const form& f, const library_function& called) {
  auto e = made<tree::library_call>(op::library, f, as_type(called.result, at.types));
  e->function = &called;
  if (diagnostic* const d = wrong_count(at, f, called)) {
    d->help.push_back(fmt::format("it is {}", signature(called)));
    return e;
  }
  if (called.waits) {
    may_act(at, f, "does not wait for input");
  } else if (called.acts && at.in_guard) {
    may_act(at, f, fmt::format("does not call `{}`", called.name));
  }
  for (std::size_t i = 0; i < called.arguments.size(); ++i)
    e->arguments.push_back(argument(at, f, i, as_type(called.arguments[i].of, at.types), called.name));
  return e;
}

}  // namespace

expression_ptr call(const context& at, const form& f) {
  const std::string_view name = f.parts[0].word;
  if (function_def* const called = at.program.find_function(name)) return program_call(at, f, *called);
  if (const library_function* const called = find_library_function(name)) return library_call(at, f, *called);
  return unknown_call(at, f);
}

}  // namespace abcl
