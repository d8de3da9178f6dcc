#include "abcl/cpp/creations.hpp"

#include <fmt/format.h>

#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/values.hpp"

namespace abcl::cpp {

std::string create(function_scope& in, const tree::create& e) {
  std::vector<const expression*> parts;
  for (const expression_ptr& each : e.arguments) parts.push_back(each.get());
  if (e.node != nullptr) parts.push_back(e.node.get());
  const std::vector<cpp_value> v = values_of(in, parts);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    const auto* const n = try_as<tree::integer>(*e.arguments[i]);
    // C++ would take it for an int.
    const bool is_short = n != nullptr && n->what == op::integer && n->value != INT64_MIN;
    const std::string argument = copied(e.arguments[i]->of, v[i]);
    list.push_back(is_short ? fmt::format("abcl::integer{{{}}}", argument) : argument);
  }
  std::string where = "abcl::next_neighbour()";
  if (e.node != nullptr) {
    where = fmt::format("abcl::checked_node({}, {})", v.back().text, in.site(e.where));
  } else if (const std::optional<int> which = in.plan.placed.neighbour_of(e)) {
    where = fmt::format("tsubu::neighbour({})", *which);
  }
  list.insert(list.begin(), where);
  return fmt::format("abcl::create<{}>({})", in.plan.find(e.of_class).name, joined(list));
}

// The same, with a name.
cpp_value created(function_scope& in, const tree::create& e) {
  in.at(e);
  const std::string_view kind = in.unit.collects ? "abcl::made" : "tsubu::ref";
  return in.kept("new", fmt::format("{}<{}>", kind, in.plan.find(e.of_class).name), create(in, e));
}

}  // namespace abcl::cpp
