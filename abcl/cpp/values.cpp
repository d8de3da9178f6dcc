#include "abcl/cpp/values.hpp"

#include <fmt/format.h>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/creations.hpp"
#include "abcl/cpp/operators.hpp"
#include "abcl/cpp/sends.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/sync.hpp"
#include "abcl/cpp/types.hpp"
#include "abcl/cpp/wait_for.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::cpp {
namespace {

cpp_value made_of(const type* t, const std::vector<cpp_value>& elements) {
  if (elements.empty()) return "abcl::none()";
  return fmt::format("{}({})", cpp_type(t), joined(texts(elements)));
}

cpp_value from_future(function_scope& in, const tree::unary& e) {
  const std::string future = value(in, *e.operand).operand();
  if (e.what == op::is_ready) return fmt::format("{}.ready({})", future, in.site(e.where));
  const std::string where = in.site(e.where, awaited_value(e));
  in.at(e);
  const bool touches = e.what == op::touch;
  return in.kept_awaited(touches ? "touched" : "next", cpp_type(e.of),
                         fmt::format("{}.{}({})", future, touches ? "touch" : "next_value", where));
}

cpp_value array(function_scope& in, const tree::make_array& e) {
  const std::vector<cpp_value> v = values_of(in, {e.length.get(), e.first.get()});
  return fmt::format("{}({}, {}, {})", cpp_type(e.of), v[0].text, v[1].text, in.site(e.where));
}

cpp_value element(function_scope& in, const tree::element& e) {
  const std::vector<cpp_value> v = values_of(in, {e.array.get(), e.index.get()});
  const std::string at = fmt::format("{}.at({}, {})", v[0].operand(), v[1].text, in.site(e.where));
  return e.of->is(type::kind::boolean) ? compound(at + " != 0") : at;
}

cpp_value subarray(function_scope& in, const tree::subarray& e) {
  const std::vector<cpp_value> v = values_of(in, {e.array.get(), e.from.get(), e.to.get()});
  return fmt::format("{}.part({}, {}, {})", v[0].operand(), v[1].text, v[2].text, in.site(e.where));
}

// A function of the program, or of C++.
cpp_value call(function_scope& in, const tree::call& e) {
  std::string list = joined(texts(values(in, e.arguments)));
  if (in.nests() && in.plan.recursive.contains(e.function)) append(list, "nested_ + 1");
  if (!e.function->cpp.empty()) list = in.site(e.where) + (list.empty() ? "" : ", ") + list;
  const std::string call = fmt::format("functions::{}({})", in.plan.functions.at(e.function), list);
  if (!e.function->acts) return call;
  in.at(e);
  if (has_value(e.of)) return in.kept("called", cpp_type(e.of), call);
  in.line(call + ";");
  return "abcl::none()";
}

// A function of the library: abcl/runtime/library.hpp has it, or console.hpp.
cpp_value library_call(function_scope& in, const tree::library_call& e) {
  const library_function& f = *e.function;
  (f.waits ? in.unit.uses_console : in.unit.uses_library) = true;
  std::string list = joined(texts(values(in, e.arguments)));
  if (f.fails) append(list, in.site(e.where));
  std::set<std::string> none;
  const std::string call = fmt::format("abcl::library::{}({})", cpp_name(f.name, none), list);
  if (!f.acts) return call;
  in.at(e);
  const std::string what_for = f.what == library_id::read_line ? "line" : "called";
  if (f.waits) return in.kept_awaited(what_for, cpp_type(e.of), call);
  if (f.result != library_type::empty) return in.kept(what_for, cpp_type(e.of), call);
  in.line(call + ";");
  return "abcl::none()";
}

// What has no value is done.
cpp_value done(function_scope& in, const expression& e) {
  statement(in, e);
  return e.of->is(type::kind::nothing) ? "abcl::nothing()" : "abcl::none()";
}

// A value that statements find, in a variable that they assign to; or, of two values, C++'s own choice.
cpp_value structured(function_scope& in, const expression& e) {
  if (!has_value(e.of)) return done(in, e);
  if (is_inline(e)) {
    const auto& choice = as<tree::choose>(e);
    const std::string c = value(in, *choice.condition).operand(), a = value(in, *choice.yes).operand(),
                      b = value(in, *choice.no).operand();
    return compound(fmt::format("{} ? {} : {}", c, a, b));
  }
  const std::string name = in.names.numbered("chosen");
  in.line(fmt::format("{} {}{{}};", cpp_type(e.of), name));
  assign(in, name, e);
  return named(name);
}

// Whether it has a part whose value has memory of its own.
bool has_memory(const expression& e) {
  const type& t = *e.of;
  bool has = t.is(type::kind::text) || t.is(type::kind::array) || t.is(type::kind::message) || t.is(type::kind::future);
  if (!has) e.each_part([&](const expression& part) { has |= has_memory(part); });
  return has;
}

}  // namespace

std::vector<cpp_value> values_of(function_scope& in, const std::vector<const expression*>& parts) {
  std::size_t last = 0;  // behind the last part with effects
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (has_effects(*parts[i])) last = i;
  }
  std::vector<cpp_value> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const expression& e = *parts[i];
    cpp_value v = value(in, e);
    // What comes later must not change what has been evaluated.
    const bool keeps = i < last && !is_constant(e) && !v.is_constant;
    all.push_back(keeps ? in.kept("value", cpp_type(e.of), v) : std::move(v));
  }
  return all;
}

std::vector<cpp_value> values(function_scope& in, const expressions& parts) {
  std::vector<const expression*> all;
  for (const expression_ptr& each : parts) all.push_back(each.get());
  return values_of(in, all);
}

std::string copied(const type* of, const cpp_value& value) {
  return holds_array(of) ? fmt::format("abcl::copied({})", value.operand()) : value.text;
}

std::vector<cpp_value> elements(function_scope& in, const expression& e) {
  if (e.what == op::message) return values(in, as<tree::message>(e).elements);
  if (e.what == op::sync2 || e.what == op::sync_all) return sync_values(in, as<tree::sync>(e));
  cpp_value whole = value(in, e);
  if (!e.of->is(type::kind::message)) return {whole};
  if (!whole.is_name) whole = in.kept("tuple", cpp_type(e.of), whole);
  std::vector<cpp_value> all;
  for (std::size_t i = 0; i < e.of->parts.size(); ++i) all.push_back(fmt::format("std::get<{}>({})", i, whole.text));
  return all;
}

cpp_value value(function_scope& in, const expression& e) {
  switch (e.what) {
    case op::integer:
      return number(as<tree::integer>(e).value);
    case op::real:
      return number(as<tree::real>(e).value);
    case op::boolean:
      return as<tree::integer>(e).value != 0 ? "true" : "false";
    case op::text:
      return fmt::format("std::string({})", string_literal(as<tree::text>(e).value));
    case op::nil:
      return "abcl::name()";
    case op::me:
      return "me()";
    case op::use:
      return in.names.value_of(*as<tree::name>(e).var);
    case op::message:
      return made_of(e.of, values(in, as<tree::message>(e).elements));
    case op::destination:
      return fmt::format("{}.destination()", in.names.name_of(*as<tree::name>(e).var));
    case op::create:
      return created(in, as<tree::create>(e));
    case op::now:
      return now(in, as<tree::send>(e));
    case op::sync:
      return sync(in, as<tree::sync>(e));
    case op::sync2:
    case op::sync_all:
      return made_of(e.of, sync_values(in, as<tree::sync>(e)));
    case op::wait_for:
      return wait_for(in, as<tree::cases>(e));
    case op::touch:
    case op::next_value:
    case op::is_ready:
      return from_future(in, as<tree::unary>(e));
    case op::make_future:
      return fmt::format("{}::make()", cpp_type(e.of));
    case op::make_array:
      return array(in, as<tree::make_array>(e));
    case op::element:
      return element(in, as<tree::element>(e));
    case op::subarray:
      return subarray(in, as<tree::subarray>(e));
    case op::length:
      return fmt::format("abcl::length({})", value(in, *as<tree::unary>(e).operand).operand());
    case op::is_null: {
      const expression& of = *as<tree::unary>(e).operand;
      const std::string v = value(in, of).operand();
      return fmt::format("{}.is_nil()", of.what == op::create ? fmt::format("abcl::name({})", v) : v);
    }
    case op::my_node:
      return "abcl::my_node()";
    case op::node_count:
      return "abcl::num_node()";
    case op::compute:
      return compute(in, as<tree::compute>(e));
    case op::call:
      return call(in, as<tree::call>(e));
    case op::library:
      return library_call(in, as<tree::library_call>(e));
    default:
      return is_branching(e) ? structured(in, e) : done(in, e);
  }
}

bool is_inline(const expression& e) {
  switch (e.what) {
    case op::sequence:
    case op::let:
    case op::match:
    case op::atomic:
    case op::wait_for:
    case op::loop:
    case op::count:
    case op::script:
      return false;
    case op::choose: {
      const auto& choice = as<tree::choose>(e);
      if (choice.no == nullptr || e.of->is(type::kind::nothing) || !has_value(e.of)) return false;
      // In an awaited expression g++ 12 destroys what one branch makes also where the other is taken.
      if (has_memory(*choice.yes) || has_memory(*choice.no)) return false;
      break;
    }
    default:
      if (has_effects(e)) return false;
  }
  bool all = true;
  e.each_part([&](const expression& part) { all &= is_inline(part); });
  return all;
}

}  // namespace abcl::cpp
