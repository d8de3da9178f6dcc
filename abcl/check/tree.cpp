#include "abcl/check/tree.hpp"

namespace abcl {

class_def& program::add_class(std::string_view name) {
  class_def& made = classes.emplace_back();
  made.name = name;
  class_of_[name] = &made;
  return made;
}

function_def& program::add_function(std::string_view name) {
  function_def& made = functions.emplace_back();
  made.name = name;
  function_of_[name] = &made;
  return made;
}

type_alias& program::add_alias(std::string_view name) {
  type_alias& made = aliases.emplace_back();
  made.name = name;
  alias_of_[name] = &made;
  return made;
}

class_def* program::find_class(std::string_view name) const {
  const auto found = class_of_.find(name);
  return found == class_of_.end() ? nullptr : found->second;
}

function_def* program::find_function(std::string_view name) const {
  const auto found = function_of_.find(name);
  return found == function_of_.end() ? nullptr : found->second;
}

type_alias* program::find_alias(std::string_view name) const {
  const auto found = alias_of_.find(name);
  return found == alias_of_.end() ? nullptr : found->second;
}

}  // namespace abcl
