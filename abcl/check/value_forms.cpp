// Forms that make values, look at them, and show them.
#include <fmt/format.h>

#include "abcl/check/expressions.hpp"
#include "abcl/check/form_rules.hpp"

namespace abcl {

expression_ptr print_form(const context& at, const form& f, const type*) {
  auto e = made<tree::print>(op::print, f, at.types.empty);
  if (!at.in_function()) may_act(at, f, "does not print");
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->values.push_back(value(at, f.parts[i]));
    const type* const of = e->values.back()->of;
    if (of->is(type::kind::future))
      at.said.error(55, f.parts[i].where, "a future cannot be printed", "(touch future) is its value");
    if (const std::string branches = different_branches(at, *e->values.back()); !branches.empty())
      at.said.error(55, f.parts[i].where, "this has no value to print", branches);
    if (of->is(type::kind::nothing)) at.said.error(55, f.parts[i].where, "this has no value to print", "no value");
  }
  return e;
}

expression_ptr expect_form(const context& at, const form& f, const type*) {
  auto e = made<tree::unary>(op::expect, f, at.types.empty);
  if (!at.in_function()) may_act(at, f, "does not end the program");
  e->operand = value_as(at, f.parts[1], at.types.boolean, "what is expected");
  return e;
}

expression_ptr node_form(const context& at, const form& f, const type*) {
  return made(f.parts[0].word == "my-node" ? op::my_node : op::node_count, f, at.types.integer);
}

expression_ptr array_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::make_array>(op::make_array, f, at.types.unknown);
  e->length = value_as(at, f.parts[1], at.types.integer, "the length of an array");
  if (wanted != nullptr && wanted->is_error()) {
    e->first = value(at, f.parts[2], wanted);
    return e;
  }
  const bool known = wanted != nullptr && wanted->is(type::kind::array);
  if (known) {
    e->first = value_as(at, f.parts[2], wanted->of(), "an element of this array");
    e->of = wanted;
    return e;
  }
  e->first = value(at, f.parts[2]);
  const type* const element = e->first->of;
  if (element->is(type::kind::nil) || element->is(type::kind::nothing)) {
    at.said.error(62, f.parts[2].where, "the type of this array's elements is not known", "of what?")
        .help.push_back("give the array to a variable with a type first");
    return e;
  }
  if (!element->is_error()) e->of = at.types.array(element);
  return e;
}

namespace {

// The elements of (array element ...), and their type; the unknown one, if that cannot be told: an error has been said.
const type* read_elements(const context& at, const form& f, const type* wanted, expressions& into) {
  if (wanted != nullptr) {
    for (std::size_t i = 1; i < f.parts.size(); ++i)
      into.push_back(value_as(at, f.parts[i], wanted, "an element of this array"));
    return wanted;
  }
  const type* of = nullptr;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    into.push_back(value(at, f.parts[i]));
    const type* const each = into.back()->of;
    const type* const both = of == nullptr ? each : at.types.join(of, each);
    if (both == nullptr) {
      at.said
          .error(62, f.parts[i].where, "the elements of an array are of one type",
                 fmt::format("this is {}", with_article(each)))
          .notes.push_back({f.parts[1].where, fmt::format("this is {}", with_article(of))});
      return at.types.unknown;
    }
    of = both;
  }
  if (!of->is(type::kind::nil) && !of->is(type::kind::nothing)) return of;
  at.said.error(62, f.parts[1].where, "the type of this array's elements is not known", "of what?")
      .help.push_back("give the array to a variable with a type first");
  return at.types.unknown;
}

expression_ptr integer(const context& at, const form& f, std::size_t value) {
  auto e = made<tree::integer>(op::integer, f, at.types.integer);
  e->value = static_cast<std::int64_t>(value);
  return e;
}

expression_ptr use_of(variable& v, const form& f) {
  auto e = made<tree::name>(op::use, f, v.of);
  e->var = &v;
  v.uses.push_back(f.where);
  return e;
}

}  // namespace

// (array a b c) is (let (((array T) elements (make-array 3 a))) [(aref elements 1) := b] ... elements).
expression_ptr written_array_form(const context& at, const form& f, const type* wanted) {
  const bool known = wanted != nullptr && (wanted->is(type::kind::array) || wanted->is_error());
  expressions elements;
  const type* const of = read_elements(at, f, !known ? nullptr : wanted->is_error() ? wanted : wanted->of(), elements);
  if (of->is_error()) return made(op::nil, f, at.types.unknown);
  const type* const array = at.types.array(of);
  auto first = made<tree::make_array>(op::make_array, f, array);
  first->length = integer(at, f, elements.size());
  first->first = std::move(elements[0]);
  if (elements.size() == 1) return first;
  variable& v = at.program.variables.emplace_back();  // which nobody can name
  v.name = "elements";
  v.of = array;
  auto e = made<tree::let>(op::let, f, array);
  e->variables.push_back({&v, std::move(first)});
  for (std::size_t i = 1; i < elements.size(); ++i) {
    const form& part = f.parts[i + 1];
    auto place = made<tree::element>(op::element, part, of);
    place->array = use_of(v, part);
    place->index = integer(at, part, i);
    auto assigned = made<tree::assign>(op::assign, part, at.types.empty);
    assigned->place = std::move(place);
    assigned->value = std::move(elements[i]);
    e->body.push_back(std::move(assigned));
  }
  e->body.push_back(use_of(v, f));
  return e;
}

expression_ptr element_form(const context& at, const form& f, const type*) {
  auto e = made<tree::element>(op::element, f, at.types.unknown);
  e->array = value(at, f.parts[1]);
  const type* const array = e->array->of;
  if (array->is(type::kind::array)) {
    e->of = array->of();
  } else if (!array->is_error()) {
    at.said.error(62, f.parts[1].where, "`aref` takes an array", fmt::format("this is {}", with_article(array)));
  }
  e->index = value_as(at, f.parts[2], at.types.integer, "an index");
  return e;
}

expression_ptr subarray_form(const context& at, const form& f, const type* wanted) {
  auto e = made<tree::subarray>(op::subarray, f, at.types.unknown);
  const bool known = wanted != nullptr && (wanted->is(type::kind::array) || wanted->is_error());
  e->array = value(at, f.parts[1], known ? wanted : nullptr);
  const type* const array = e->array->of;
  if (array->is(type::kind::array)) {
    e->of = array;
  } else if (!array->is_error()) {
    diagnostic& d = at.said.error(62, f.parts[1].where, "`subarray` takes an array",
                                  fmt::format("this is {}", with_article(array)));
    if (array->is(type::kind::text)) d.help.push_back("(substring text from to) is a part of a Str");
  }
  e->from = value_as(at, f.parts[2], at.types.integer, "where the part begins");
  e->to = value_as(at, f.parts[3], at.types.integer, "where the part ends");
  return e;
}

expression_ptr length_form(const context& at, const form& f, const type*) {
  auto e = made<tree::unary>(op::length, f, at.types.integer);
  e->operand = value(at, f.parts[1]);
  const type* const of = e->operand->of;
  if (!of->is(type::kind::array) && !of->is(type::kind::text) && !of->is_error())
    at.said.error(62, f.parts[1].where, "`length` takes an array or a Str",
                  fmt::format("this is {}", with_article(of)));
  return e;
}

expression_ptr null_form(const context& at, const form& f, const type*) {
  auto e = made<tree::unary>(op::is_null, f, at.types.boolean);
  e->operand = value(at, f.parts[1]);
  const type* const of = e->operand->of;
  if (!at.types.fits(at.types.nil, of))
    at.said.error(40, f.parts[1].where, "`null?` takes an object or a reply destination",
                  fmt::format("this is {}, which is never nil", with_article(of)));
  return e;
}

}  // namespace abcl
