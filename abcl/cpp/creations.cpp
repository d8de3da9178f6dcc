#include "abcl/cpp/creations.hpp"

#include <fmt/format.h>

#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/values.hpp"

namespace abcl::cpp {

std::string create(function_scope& in, const tree::create& e) {
  const std::size_t arguments = e.arguments.size();
  std::vector<const expression*> parts;
  for (const expression_ptr& each : e.arguments) parts.push_back(each.get());
  if (e.node != nullptr) parts.push_back(e.node.get());
  std::vector<std::string> v = values_of(in, parts);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < arguments; ++i) list.push_back(copied(e.arguments[i]->of, v[i]));
  const std::string name = in.plan.find(e.of_class).name;
  for (std::size_t i = 0; i < arguments; ++i) {
    // C++ would take it for an int.
    const auto* const n = e.arguments[i]->what == op::integer ? &as<tree::integer>(*e.arguments[i]) : nullptr;
    if (n != nullptr && n->value != INT64_MIN) list[i] = fmt::format("abcl::integer{{{}}}", list[i]);
  }
  std::string where;
  if (e.node != nullptr) {
    where = fmt::format("abcl::checked_node({}, {})", without_brackets(v.back()), in.site(e.where));
  } else {
    where = in.loops > 0 ? std::string("abcl::near_by_turns()") : fmt::format("abcl::near<{}>()", in.created++);
  }
  list.insert(list.begin(), where);
  return fmt::format("abcl::create<{}>({})", name, joined(list));
}

// The same, with a name.
std::string created(function_scope& in, const tree::create& e) {
  in.at(e);
  return in.kept("new", fmt::format("tsubu::ref<{}>", in.plan.find(e.of_class).name), create(in, e));
}

}  // namespace abcl::cpp
