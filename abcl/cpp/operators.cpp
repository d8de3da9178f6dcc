#include "abcl/cpp/operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/values.hpp"

namespace abcl::cpp {

namespace {

// The operator between the values of its operands, or a call with them.
cpp_value chained(function_scope& in, const tree::compute& e, const std::vector<cpp_value>& v) {
  const bool real = e.of->is(type::kind::real);
  const auto infix = [&](std::string_view sign) {
    if (v.size() == 1) return v[0];
    std::string all;
    for (const cpp_value& each : v) all += all.empty() ? each.operand() : fmt::format(" {} {}", sign, each.operand());
    return compound(all);
  };
  const auto nested = [&](std::string_view f) {
    cpp_value all = v[0];
    for (std::size_t i = 1; i < v.size(); ++i) all = fmt::format("abcl::{}({}, {})", f, all.text, v[i].text);
    return all;
  };
  const auto pairs = [&](std::string_view sign) {
    std::string all;
    for (std::size_t i = 0; i + 1 < v.size(); ++i)
      all += fmt::format("{}{} {} {}", all.empty() ? "" : " && ", v[i].operand(), sign, v[i + 1].operand());
    return compound(all);
  };
  switch (e.does) {
    case operation::add:
      return real ? infix("+") : nested("add");
    case operation::multiply:
      return real ? infix("*") : nested("multiply");
    case operation::subtract:
      if (v.size() == 1) return real ? compound('-' + v[0].operand()) : fmt::format("abcl::negate({})", v[0].text);
      return real ? infix("-") : nested("subtract");
    case operation::divide:
      if (real) return infix("/");
      return fmt::format("abcl::divide({}, {}, {})", v[0].text, v[1].text, in.site(e.where));
    case operation::modulo:
      return fmt::format("abcl::modulo({}, {}, {})", v[0].text, v[1].text, in.site(e.where));
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
      return '!' + v[0].operand();
    case operation::square_root:
      return fmt::format("std::sqrt({})", v[0].text);
    case operation::to_integer:
      return fmt::format("abcl::to_integer({}, {})", v[0].text, in.site(e.where));
    case operation::to_real:
      return fmt::format("static_cast<double>({})", v[0].text);
    case operation::to_text:
      return fmt::format("abcl::text({})", joined(texts(v)));
  }
  return "";
}

}  // namespace

cpp_value compute(function_scope& in, const tree::compute& e) {
  const expressions& parts = e.operands;
  const bool logical = e.does == operation::both || e.does == operation::either;
  const bool later_statements =
      std::any_of(parts.begin() + 1, parts.end(), [](const expression_ptr& p) { return !is_inline(*p); });
  if (!logical || !later_statements) return chained(in, e, values(in, parts));
  // The rest is evaluated only if it matters.
  const std::string name = in.names.numbered("so-far");
  in.line(fmt::format("bool {} = {};", name, value(in, *parts[0]).text));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    in.open(fmt::format("if ({}{}) {{", e.does == operation::both ? "" : "!", name));
    assign(in, name, *parts[i]);
    in.close();
  }
  return named(name);
}

}  // namespace abcl::cpp
