// Names: how one of ABCL/ST is spelt in C++, and those that a function has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "abcl/check/expression.hpp"
#include "abcl/cpp/cpp_value.hpp"

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
  cpp_value value_of(const variable& v);
  std::string name_of(const variable& v) { return value_of(v).text; }
  // `v` is this from here on: its value has that name already, or it is a constant of its own.
  void bind(const variable& v, const cpp_value& value) { locals_.insert_or_assign(&v, value); }

  void add(const std::string& name) { taken_.insert(name); }

 private:
  std::set<std::string> taken_;
  std::map<const variable*, cpp_value> locals_;
  const std::map<const variable*, std::string>* members_;
};

}  // namespace abcl::cpp
