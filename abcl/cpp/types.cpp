#include "abcl/cpp/types.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace abcl::cpp {

std::string cpp_type(const type* t) {
  switch (t->what) {
    case type::kind::integer:
      return "abcl::integer";
    case type::kind::real:
      return "double";
    case type::kind::boolean:
      return "bool";
    case type::kind::text:
      return "std::string";
    case type::kind::array:
      return fmt::format("abcl::array<{}>", cpp_type(t->of()));
    case type::kind::future:
      return fmt::format("abcl::future<{}>", cpp_type(t->of()));
    case type::kind::message: {
      if (t->parts.empty()) return "abcl::none";
      std::string elements;
      for (const type* part : t->parts) elements += (elements.empty() ? "" : ", ") + cpp_type(part);
      return fmt::format("std::tuple<{}>", elements);
    }
    case type::kind::a_class:
    case type::kind::object:
    case type::kind::reply:
    case type::kind::nil:
      return "abcl::name";
    case type::kind::unknown:
    case type::kind::nothing:
      break;
  }
  return "abcl::none";
}

namespace {

// One of those that have the same C++ type, if their parts have.
type::kind kind_in_cpp(const type* t) {
  if (is_name(t)) return type::kind::object;
  return has_value(t) ? t->what : type::kind::nothing;
}

}  // namespace

std::strong_ordering order_in_cpp(const type* a, const type* b) {
  const type::kind kind = kind_in_cpp(a);
  const auto order = kind <=> kind_in_cpp(b);
  const bool by_parts = kind == type::kind::array || kind == type::kind::future || kind == type::kind::message;
  return order != 0 || !by_parts ? order : order_in_cpp(a->parts, b->parts);
}

std::strong_ordering order_in_cpp(const std::vector<const type*>& a, const std::vector<const type*>& b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end(),
                                                [](const type* x, const type* y) { return order_in_cpp(x, y); });
}

bool has_value(const type* t) {
  return !t->is(type::kind::unknown) && !t->is(type::kind::nothing) &&
         !(t->is(type::kind::message) && t->parts.empty());
}

bool is_name(const type* t) {
  return t->is(type::kind::a_class) || t->is(type::kind::object) || t->is(type::kind::reply) || t->is(type::kind::nil);
}

bool holds_array(const type* t) {
  if (t->is(type::kind::array)) return true;
  return (t->is(type::kind::message) || t->is(type::kind::future)) &&
         std::any_of(t->parts.begin(), t->parts.end(), holds_array);
}

bool shows_names(const type* t) {
  if (is_name(t)) return !t->is(type::kind::nil);
  return (t->is(type::kind::message) || t->is(type::kind::array)) &&
         std::any_of(t->parts.begin(), t->parts.end(), shows_names);
}

}  // namespace abcl::cpp
