// Values: each becomes a C++ expression that has no effects, behind statements for what has.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abcl/check/analysis.hpp"
#include "abcl/cpp/writer.hpp"

namespace abcl {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {  // ??/ would be something else
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7F) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string without_brackets(const std::string& cpp) {
  if (!cpp.starts_with('(') || !cpp.ends_with(')')) return cpp;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < cpp.size(); ++i) {
    if (quoted) {
      if (cpp[i] == '\\')
        ++i;
      else
        quoted = cpp[i] != '"';
      continue;
    }
    quoted = cpp[i] == '"';
    depth += cpp[i] == '(' ? 1 : cpp[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < cpp.size()) return cpp;
  }
  return cpp.substr(1, cpp.size() - 2);
}

namespace {

std::string number(std::int64_t n) {
  if (n == INT64_MIN) return "std::numeric_limits<abcl::integer>::min()";
  return n < 0 ? fmt::format("({})", n) : std::to_string(n);
}

std::string number(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return std::signbit(x) ? '(' + text + ')' : text;
}

}  // namespace

std::string cpp_writer::numbered(std::string_view name) {
  for (int i = 1;; ++i) {
    std::set<std::string> none;
    const std::string made = cpp_name(fmt::format("{}-{}", name, i), none);
    if (used_.insert(made).second) return made;
  }
}

std::string cpp_writer::name_of(const variable& v) {
  if (class_ != nullptr) {
    const auto member = class_->members.find(&v);
    if (member != class_->members.end()) return member->second;
  }
  std::string& name = locals_[&v];
  if (name.empty()) name = fresh(v.name.empty() ? std::string_view("unnamed") : v.name);
  return name;
}

std::string cpp_writer::kept(const std::string& what_for, const std::string& of, const std::string& value) {
  const std::string name = numbered(what_for);
  line(fmt::format("const {} {} = {};", of, name, without_brackets(value)));
  constants_.insert(name);
  return name;
}

std::string cpp_writer::kept_awaited(const std::string& what_for, const std::string& of, const std::string& awaited) {
  const std::string name = numbered(what_for);
  waiting_line(fmt::format("const {} {} = co_await {};", of, name, awaited));
  constants_.insert(name);
  return name;
}

std::vector<std::string> cpp_writer::values_of(const std::vector<const expression*>& parts) {
  std::size_t last = 0;  // behind the last part with effects
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (has_effects(*parts[i])) last = i;
  }
  std::vector<std::string> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const expression& e = *parts[i];
    std::string v = value(e);
    // What comes later must not change what has been evaluated.
    const bool keeps = i < last && !is_constant(e) && !constants_.contains(v);
    all.push_back(keeps ? kept("value", cpp_type(e.of), v) : std::move(v));
  }
  return all;
}

std::vector<std::string> cpp_writer::values(const expressions& parts) {
  std::vector<const expression*> all;
  for (const expression_ptr& each : parts) all.push_back(each.get());
  return values_of(all);
}

std::string cpp_writer::made_of(const type* t, const std::vector<std::string>& elements) {
  if (elements.empty()) return "abcl::none()";
  std::string list;
  for (const std::string& e : elements) list += (list.empty() ? "" : ", ") + without_brackets(e);
  return fmt::format("{}({})", cpp_type(t), list);
}

std::string cpp_writer::copied(const type* of, const std::string& value) {
  if (holds_array(of)) return fmt::format("abcl::copied({})", value);
  return without_brackets(value);
}

std::vector<std::string> cpp_writer::elements(const expression& e) {
  if (e.what == op::message) return values(as<tree::message>(e).elements);
  if (e.what == op::sync2 || e.what == op::sync_all) return sync_values(as<tree::sync>(e));
  std::string whole = value(e);
  if (!e.of->is(type::kind::message)) return {whole};
  if (!used_.contains(whole)) whole = kept("tuple", cpp_type(e.of), whole);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < e.of->parts.size(); ++i) all.push_back(fmt::format("std::get<{}>({})", i, whole));
  return all;
}

std::string cpp_writer::value(const expression& e) {
  switch (e.what) {
    case op::integer:
      return number(as<tree::integer>(e).value);
    case op::real:
      return number(as<tree::real>(e).value);
    case op::boolean:
      return as<tree::integer>(e).value != 0 ? "true" : "false";
    case op::text:
      return fmt::format("std::string({})", quoted(as<tree::text>(e).value));
    case op::nil:
      return "abcl::name()";
    case op::me:
      return "me()";
    case op::use:
      return name_of(*as<tree::name>(e).var);
    case op::message:
      return made_of(e.of, values(as<tree::message>(e).elements));
    case op::destination:
      return fmt::format("{}.destination()", name_of(*as<tree::name>(e).var));
    case op::create:
      return created(as<tree::create>(e));
    case op::now:
      return now(as<tree::send>(e));
    case op::sync:
      return sync(as<tree::sync>(e));
    case op::sync2:
    case op::sync_all:
      return made_of(e.of, sync_values(as<tree::sync>(e)));
    case op::wait_for:
      return wait_for(as<tree::cases>(e));
    case op::touch:
    case op::next_value:
    case op::is_ready:
      return from_future(as<tree::unary>(e));
    case op::make_future:
      return fmt::format("{}::make()", cpp_type(e.of));
    case op::make_array:
      return array(as<tree::make_array>(e));
    case op::element:
      return element(as<tree::element>(e));
    case op::length:
      return fmt::format("abcl::length({})", value(*as<tree::unary>(e).operand));
    case op::is_null: {
      const expression& of = *as<tree::unary>(e).operand;
      const std::string v = value(of);
      return fmt::format("{}.is_nil()", of.what == op::create ? fmt::format("abcl::name({})", v) : v);
    }
    case op::my_node:
      return "abcl::my_node()";
    case op::node_count:
      return "abcl::num_node()";
    case op::compute:
      return compute(as<tree::compute>(e));
    case op::call:
      return call(as<tree::call>(e));
    case op::library:
      return library_call(as<tree::library_call>(e));
    case op::choose:
    case op::sequence:
    case op::let:
    case op::match:
    case op::atomic:
      return structured(e);
    default:
      statement(e);
      return e.of->is(type::kind::nothing) ? "abcl::nothing()" : "abcl::none()";
  }
}

std::string cpp_writer::from_future(const tree::unary& e) {
  const std::string future = value(*e.operand);
  if (e.what == op::is_ready) return fmt::format("{}.ready({})", future, site(e.where));
  at(e);
  const bool touches = e.what == op::touch;
  return kept_awaited(touches ? "touched" : "next", cpp_type(e.of),
                      fmt::format("{}.{}({})", future, touches ? "touch" : "next_value", site(e.where)));
}

std::string cpp_writer::array(const tree::make_array& e) {
  const std::vector<std::string> v = values_of({e.length.get(), e.first.get()});
  return fmt::format("{}({}, {}, {})", cpp_type(e.of), without_brackets(v[0]), without_brackets(v[1]), site(e.where));
}

std::string cpp_writer::element(const tree::element& e) {
  const std::vector<std::string> v = values_of({e.array.get(), e.index.get()});
  const std::string at = fmt::format("{}.at({}, {})", v[0], without_brackets(v[1]), site(e.where));
  return e.of->is(type::kind::boolean) ? fmt::format("({} != 0)", at) : at;
}

// A function of the program, or of C++.
std::string cpp_writer::call(const tree::call& e) {
  std::string list;
  for (const std::string& v : values(e.arguments)) list += (list.empty() ? "" : ", ") + without_brackets(v);
  if (nests_ && plan_.recursive.contains(e.function)) list += (list.empty() ? "" : ", ") + std::string("nested_ + 1");
  if (!e.function->cpp.empty()) list = site(e.where) + (list.empty() ? "" : ", ") + list;
  const std::string call = fmt::format("functions::{}({})", plan_.functions.at(e.function), list);
  if (!e.function->acts) return call;
  at(e);
  if (has_value(e.of)) return kept("called", cpp_type(e.of), call);
  line(call + ";");
  return "abcl::none()";
}

// A function of the library: abcl/runtime/library.hpp has it, or console.hpp.
std::string cpp_writer::library_call(const tree::library_call& e) {
  const library_function& f = *e.function;
  (f.waits ? uses_console_ : uses_library_) = true;
  std::string list;
  for (const std::string& v : values(e.arguments)) list += (list.empty() ? "" : ", ") + without_brackets(v);
  if (f.fails) list += (list.empty() ? "" : ", ") + site(e.where);
  std::set<std::string> none;
  const std::string call = fmt::format("abcl::library::{}({})", cpp_name(f.name, none), list);
  if (!f.acts) return call;
  at(e);
  const std::string what_for = f.what == library_id::read_line ? "line" : "called";
  if (f.waits) return kept_awaited(what_for, cpp_type(e.of), call);
  if (f.result != library_type::empty) return kept(what_for, cpp_type(e.of), call);
  line(call + ";");
  return "abcl::none()";
}

namespace {

// Whether it has a part whose value has memory of its own.
bool has_memory(const expression& e) {
  const type& t = *e.of;
  bool has = t.is(type::kind::text) || t.is(type::kind::array) || t.is(type::kind::message) || t.is(type::kind::future);
  if (!has) e.each_part([&](const expression& part) { has |= has_memory(part); });
  return has;
}

}  // namespace

bool cpp_writer::is_inline(const expression& e) {
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

// A value that statements find: a variable that they assign to; or, of two values, C++'s own choice.
std::string cpp_writer::structured(const expression& e) {
  if (e.of->is(type::kind::nothing)) {
    statement(e);
    return "abcl::nothing()";
  }
  if (!has_value(e.of)) {
    statement(e);
    return "abcl::none()";
  }
  if (is_inline(e)) {
    const auto& choice = as<tree::choose>(e);
    const std::string c = value(*choice.condition), a = value(*choice.yes), b = value(*choice.no);
    return fmt::format("({} ? {} : {})", c, a, b);
  }
  const std::string name = numbered("chosen");
  line(fmt::format("{} {}{{}};", cpp_type(e.of), name));
  assign(name, e);
  return name;
}

std::string cpp_writer::compute(const tree::compute& e) {
  const expressions& parts = e.operands;
  const bool logical = e.does == operation::both || e.does == operation::either;
  const bool later_statements =
      std::any_of(parts.begin() + 1, parts.end(), [](const expression_ptr& p) { return !is_inline(*p); });
  if (!logical || !later_statements) return chained(e, values(parts));
  // The rest is evaluated only if it matters.
  const std::string name = numbered("so-far");
  line(fmt::format("bool {} = {};", name, without_brackets(value(*parts[0]))));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    open(fmt::format("if ({}{}) {{", e.does == operation::both ? "" : "!", name));
    assign(name, *parts[i]);
    close();
  }
  return name;
}

std::string cpp_writer::chained(const tree::compute& e, const std::vector<std::string>& v) {
  const bool real = e.of->is(type::kind::real);
  const auto infix = [&](std::string_view sign) {
    std::string all;
    for (const std::string& each : v) all += all.empty() ? each : fmt::format(" {} {}", sign, each);
    return v.size() == 1 ? all : '(' + all + ')';
  };
  const auto nested = [&](std::string_view f) {
    std::string all = v[0];
    for (std::size_t i = 1; i < v.size(); ++i)
      all = fmt::format("abcl::{}({}, {})", f, without_brackets(all), without_brackets(v[i]));
    return all;
  };
  const auto pairs = [&](std::string_view sign) {
    std::string all;
    for (std::size_t i = 0; i + 1 < v.size(); ++i)
      all += fmt::format("{}{} {} {}", all.empty() ? "" : " && ", v[i], sign, v[i + 1]);
    return '(' + all + ')';
  };
  switch (e.does) {
    case operation::add:
      return real ? infix("+") : nested("add");
    case operation::multiply:
      return real ? infix("*") : nested("multiply");
    case operation::subtract:
      if (v.size() == 1)
        return real ? fmt::format("(-{})", v[0]) : fmt::format("abcl::negate({})", without_brackets(v[0]));
      return real ? infix("-") : nested("subtract");
    case operation::divide:
      if (real) return infix("/");
      return fmt::format("abcl::divide({}, {}, {})", without_brackets(v[0]), without_brackets(v[1]), site(e.where));
    case operation::modulo:
      return fmt::format("abcl::modulo({}, {}, {})", without_brackets(v[0]), without_brackets(v[1]), site(e.where));
    case operation::equal:
      return pairs("==");
    case operation::unequal:
      return pairs("!=");
    case operation::less:
      return pairs("<");
    case operation::greater:
      return pairs(">");
    case operation::at_most:
      return pairs("<=");
    case operation::at_least:
      return pairs(">=");
    case operation::both:
      return infix("&&");
    case operation::either:
      return infix("||");
    case operation::negate:
      return '!' + v[0];
    case operation::square_root:
      return fmt::format("std::sqrt({})", without_brackets(v[0]));
    case operation::to_integer:
      return fmt::format("abcl::to_integer({}, {})", without_brackets(v[0]), site(e.where));
    case operation::to_real:
      return fmt::format("static_cast<double>({})", without_brackets(v[0]));
    case operation::to_text: {
      std::string all;
      for (const std::string& each : v) all += (all.empty() ? "" : ", ") + without_brackets(each);
      return fmt::format("abcl::text({})", all);
    }
  }
  return {};
}

}  // namespace abcl
