#include "abcl/cpp/operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/values.hpp"

namespace abcl::cpp {

namespace {

// The operator between the values of its operands, or a call with them.
std::string chained(function_scope& in, const tree::compute& e, const std::vector<std::string>& v) {
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
      return fmt::format("abcl::divide({}, {}, {})", without_brackets(v[0]), without_brackets(v[1]), in.site(e.where));
    case operation::modulo:
      return fmt::format("abcl::modulo({}, {}, {})", without_brackets(v[0]), without_brackets(v[1]), in.site(e.where));
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
      return fmt::format("abcl::to_integer({}, {})", without_brackets(v[0]), in.site(e.where));
    case operation::to_real:
      return fmt::format("static_cast<double>({})", without_brackets(v[0]));
    case operation::to_text: {
      std::string all;
      for (const std::string& each : v) append(all, without_brackets(each));
      return fmt::format("abcl::text({})", all);
    }
  }
  return {};
}

}  // namespace

std::string compute(function_scope& in, const tree::compute& e) {
  const expressions& parts = e.operands;
  const bool logical = e.does == operation::both || e.does == operation::either;
  const bool later_statements =
      std::any_of(parts.begin() + 1, parts.end(), [](const expression_ptr& p) { return !is_inline(*p); });
  if (!logical || !later_statements) return chained(in, e, values(in, parts));
  // The rest is evaluated only if it matters.
  const std::string name = in.names.numbered("so-far");
  in.line(fmt::format("bool {} = {};", name, without_brackets(value(in, *parts[0]))));
  for (std::size_t i = 1; i < parts.size(); ++i) {
    in.open(fmt::format("if ({}{}) {{", e.does == operation::both ? "" : "!", name));
    assign(in, name, *parts[i]);
    in.close();
  }
  return name;
}

}  // namespace abcl::cpp
