#include "abcl/cpp/function_scope.hpp"

#include <fmt/format.h>

#include <utility>

namespace abcl::cpp {

function_scope::function_scope(translation_unit& of_unit, const class_plan* c, bool is_coroutine,
                               std::string taken_message)
    : unit(of_unit),
      plan(of_unit.plan),
      texts(of_unit.texts),
      text(of_unit.text),
      of(c),
      message(std::move(taken_message)),
      waits(is_coroutine),
      names(of_unit.plan.names(), c == nullptr ? nullptr : &c->members) {
  text.nowhere();
}

function_scope::function_scope(translation_unit& of_unit, const function_def& f)
    : function_scope(of_unit, nullptr, false) {
  function = &f;
}

void function_scope::waiting_line(const std::string& cpp) {
  if (interruptible) line("express_.waits();");
  await_line(cpp);
  if (interruptible) await_line("co_await express_.clear();");
}

void function_scope::end_function() {
  close();
  line("");
}

void function_scope::at(span where) {
  const source& from = texts.of(where);
  text.at(from, from.place_of(where.begin).line);
}

std::string function_scope::site(span where, std::string_view awaited) {
  const source& from = texts.of(where);
  const std::string_view place = function != nullptr ? function->name
                                 : of != nullptr     ? of->of->name
                                                     : std::string_view();
  return unit.sites.add(from, from.place_of(where.begin).line, place, message, awaited);
}

cpp_value function_scope::kept(std::string_view what_for, const std::string& cpp_type, const cpp_value& value) {
  const std::string name = names.numbered(what_for);
  line(fmt::format("const {} {} = {};", cpp_type, name, value.text));
  return constant(name);
}

cpp_value function_scope::kept_awaited(std::string_view what_for, const std::string& cpp_type,
                                       const std::string& awaited) {
  const std::string name = names.numbered(what_for);
  waiting_line(fmt::format("const {} {} = co_await {};", cpp_type, name, awaited));
  return constant(name);
}

}  // namespace abcl::cpp
