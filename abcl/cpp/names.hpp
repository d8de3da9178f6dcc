// Names: how one of ABCL/ST is spelt in C++, and those that a function has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "abcl/check/expression.hpp"

namespace abcl::cpp {

// A name that C++ takes: `next-obj` becomes next_obj. Not one of `taken`, to which it is added.
std::string cpp_name(std::string_view name, std::set<std::string>& taken);

// The names of a function. It is a value: what is declared in a block ends when the copy from before is put back.
class name_scope {
 public:
  // `taken` outside of it; `members` of its class, null for a function that has none.
  name_scope(std::set<std::string> taken, const std::map<const variable*, std::string>* members);

  std::string fresh(std::string_view name) { return cpp_name(name, taken_); }
  // "now_1", "now_2"
  std::string numbered(std::string_view name);
  std::string name_of(const variable& v);
  // `v` is called so from here on, since its value has that name already.
  void bind(const variable& v, const std::string& name) { locals_[&v] = name; }

  void add(const std::string& name) { taken_.insert(name); }
  bool contains(const std::string& cpp) const { return taken_.contains(cpp); }
  // One that keeps its value.
  void add_constant(const std::string& name) { constants_.insert(name); }
  bool is_constant(const std::string& cpp) const { return constants_.contains(cpp); }

 private:
  std::set<std::string> taken_;
  std::set<std::string> constants_;
  std::map<const variable*, std::string> locals_;
  const std::map<const variable*, std::string>* members_;
};

}  // namespace abcl::cpp
