#include "abcl/check/operators.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "abcl/check/expressions.hpp"

namespace abcl {
namespace {

bool is_number(const type* t) { return t->is(type::kind::integer) || t->is(type::kind::real); }

expression_ptr arithmetic(const context& at, const form& f, operation does) {
  auto e = made<tree::compute>(op::compute, f, at.types.unknown);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  const bool exactly_two = does == operation::modulo || does == operation::divide;
  const std::size_t given = f.parts.size() - 1;
  if (given == 0 || (exactly_two && given != 2)) {
    at.said.error(47, f.where, fmt::format("`{}` takes {}", name, exactly_two ? "two numbers" : "numbers"),
                  fmt::format("{} given", given));
    return e;
  }
  const type* of = nullptr;
  const form* first = nullptr;
  bool good = true;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->operands.push_back(value(at, f.parts[i]));
    const type* const each = e->operands.back()->of;
    if (each->is_error() || each->is(type::kind::nothing)) {
      good &= !each->is_error();
      continue;
    }
    if (!is_number(each) || (does == operation::modulo && !each->is(type::kind::integer))) {
      diagnostic& d = at.said.error(47, f.parts[i].where,
                                    fmt::format("`{}` takes {}", name, does == operation::modulo ? "Ints" : "numbers"),
                                    fmt::format("this is {}", with_article(each)));
      if (each->is(type::kind::text) && does == operation::add) d.help.push_back("(str a b ...) puts texts together");
      if (const std::string branches = different_branches(at, *e->operands.back()); !branches.empty())
        d.help.push_back(branches);
      if (e->operands.back()->what == op::past) d.help.push_back("a now send `<==` waits for the reply");
      good = false;
    } else if (of == nullptr) {
      of = each;
      first = &f.parts[i];
    } else if (each != of && good) {
      diagnostic& d = at.said.error(47, f.parts[i].where, fmt::format("`{}` takes numbers of one type", name),
                                    fmt::format("this is {}", with_article(each)));
      d.notes.push_back({first->where, fmt::format("this is {}", with_article(of))});
      d.help.push_back("(float n) makes a Float of an Int, (int x) an Int of a Float");
      good = false;
    }
  }
  if (good && of != nullptr) e->of = of;
  return e;
}

expression_ptr comparison(const context& at, const form& f, operation does) {
  auto e = made<tree::compute>(op::compute, f, at.types.boolean);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  if (f.parts.size() < 3) {
    at.said.error(47, f.where, fmt::format("`{}` compares two values, or more", name),
                  fmt::format("{} given", f.parts.size() - 1));
    return e;
  }
  const bool by_order = does != operation::equal && does != operation::unequal;
  const type* of = nullptr;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->operands.push_back(value(at, f.parts[i]));
    const type* const each = e->operands.back()->of;
    if (each->is_error() || (of != nullptr && of->is_error())) {
      of = at.types.unknown;
      continue;
    }
    const bool ordered = is_number(each) || each->is(type::kind::text);
    const bool comparable =
        ordered || each->is(type::kind::boolean) || at.types.fits(at.types.nil, each) || each->is(type::kind::nil);
    if (by_order ? !ordered : !comparable) {
      at.said.error(
          47, f.parts[i].where,
          fmt::format("`{}` compares {}", name, by_order ? "numbers and texts" : "numbers, texts, Bools and objects"),
          fmt::format("this is {}", with_article(each)));
      of = at.types.unknown;
    } else if (of != nullptr && !at.types.fits(each, of) && !at.types.fits(of, each)) {
      at.said
          .error(47, f.parts[i].where, fmt::format("`{}` compares values of one type", name),
                 fmt::format("this is {}", with_article(each)))
          .notes.push_back({f.parts[1].where, fmt::format("this is {}", with_article(of))});
      of = at.types.unknown;
    } else if (of == nullptr || of->is(type::kind::nil)) {
      of = each;
    }
  }
  return e;
}

expression_ptr logic(const context& at, const form& f, operation does) {
  auto e = made<tree::compute>(op::compute, f, at.types.boolean);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  if (f.parts.size() < 2 || (does == operation::negate && f.parts.size() != 2))
    at.said.error(47, f.where, fmt::format("`{}` takes {}", name, does == operation::negate ? "one Bool" : "Bools"),
                  fmt::format("{} given", f.parts.size() - 1));
  for (std::size_t i = 1; i < f.parts.size(); ++i)
    e->operands.push_back(
        value_as(at, f.parts[i], at.types.boolean, [&] { return fmt::format("an operand of `{}`", name); }));
  return e;
}

expression_ptr conversion(const context& at, const form& f, operation does) {
  const bool to_text = does == operation::to_text;
  auto e = made<tree::compute>(op::compute, f,
                               to_text                         ? at.types.text
                               : does == operation::to_integer ? at.types.integer
                                                               : at.types.real);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  const type* const from = does == operation::to_real ? at.types.integer : at.types.real;
  if (!to_text && f.parts.size() != 2) {
    at.said.error(47, f.where, fmt::format("`{}` takes one {}", name, shown(from)),
                  fmt::format("{} given", f.parts.size() - 1));
    return e;
  }
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->operands.push_back(to_text ? value(at, f.parts[i]) : value_as(at, f.parts[i], from, [&] {
      return fmt::format("the operand of `{}`", name);
    }));
    if (const std::string branches = different_branches(at, *e->operands.back()); to_text && !branches.empty())
      at.said.error(55, f.parts[i].where, "this has no value", branches);
  }
  return e;
}

constexpr known_operator known_operators[] = {
    {"*", operation::multiply, arithmetic},
    {"+", operation::add, arithmetic},
    {"-", operation::subtract, arithmetic},
    {"/", operation::divide, arithmetic},
    {"/=", operation::unequal, comparison},
    {"<", operation::less, comparison},
    {"<=", operation::at_most, comparison},
    {"=", operation::equal, comparison},
    {">", operation::greater, comparison},
    {">=", operation::at_least, comparison},
    {"and", operation::both, logic},
    {"float", operation::to_real, conversion},
    {"int", operation::to_integer, conversion},
    {"mod", operation::modulo, arithmetic},
    {"not", operation::negate, logic},
    {"or", operation::either, logic},
    {"sqrt", operation::square_root, conversion},
    {"str", operation::to_text, conversion},
};
static_assert(std::ranges::is_sorted(known_operators, {}, &known_operator::name));

}  // namespace

std::span<const known_operator> operators() { return known_operators; }

const known_operator* find_operator(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(known_operators, name, {}, &known_operator::name);
  return found != std::end(known_operators) && found->name == name ? found : nullptr;
}

}  // namespace abcl
