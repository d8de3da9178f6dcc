#include "abcl/cpp/functions.hpp"

#include <fmt/format.h>

#include "abcl/cpp/foreign.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/values.hpp"

namespace abcl::cpp {
namespace {

// It may be deep: it knows how deep, and goes on on another stack where this one is used up.
void nested_call(function_scope& in, const function_def& f) {
  std::string list;
  for (const variable* a : f.arguments) append(list, in.names.name_of(*a));
  append(list, "nested_");
  in.open("if (abcl::is_deep(nested_)) [[unlikely]] {");
  in.line(fmt::format("return abcl::deep_call(nested_, {}, [=]() {{ return {}({}); }});", in.site(f.name_where),
                      in.plan.functions.at(&f), list));
  in.close();
}

void write_function(translation_unit& to, const function_def& f) {
  if (!f.cpp.empty()) return foreign_function(to, f);
  function_scope in(to, f);
  in.at(f.name_where);
  in.open(signature(in, f, false) + " {");
  if (in.nests()) nested_call(in, f);
  const expression& last = *before_last(in, f.body);
  in.leave(value(in, last).text);
  in.end_function();
}

// Does `each` with the text of each function, in their namespace.
template <class Each>
void in_namespace(translation_unit& to, const Each& each) {
  if (to.plan.of.functions.empty()) return;
  to.text.line("namespace functions {");
  for (const function_def& f : to.plan.of.functions) each(f);
  to.text.nowhere();
  to.text.line("}  // namespace functions");
  to.text.line("");
}

}  // namespace

std::string signature(function_scope& in, const function_def& f, bool declares) {
  std::string list;
  if (!f.cpp.empty()) list = "const abcl::site& called_";
  for (const variable* a : f.arguments) append(list, cpp_type(a->of) + ' ' + in.names.name_of(*a));
  if (in.nests()) append(list, fmt::format("std::int64_t nested_{}", declares ? " = 1" : ""));
  return fmt::format("inline {} {}({})", cpp_type(f.result), in.plan.functions.at(&f), list);
}

void declare_functions(translation_unit& to) {
  in_namespace(to, [&](const function_def& f) {
    function_scope in(to, f);
    in.line(signature(in, f, true) + ";");
  });
}

void write_functions(translation_unit& to) {
  in_namespace(to, [&](const function_def& f) { write_function(to, f); });
}

}  // namespace abcl::cpp
