// The environment: which variables the names mean that are in sight of a form.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/read/form.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

// What is known of a reply box so far.
struct box_state {
  const type* takes = nullptr;  // the least type that fits wherever its destination is given to; null: none is yet
  bool given = false;           // its destination has been given to somebody
};

class environment {
 public:
  environment(program& into, diagnostics& said) : program_(into), said_(said) {}

  // What is declared while it lives is seen until it ends; then it warns of what nobody has used.
  class scope {
   public:
    explicit scope(environment& in) : in_(in) { in_.begins_.push_back(in_.visible_.size()); }
    ~scope() { in_.end_scope(); }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    environment& in_;
  };

  // Makes a variable of the program, which is seen in the innermost scope if `name` may be one.
  variable* declare(variable::kind what, const form& name, const type* of);
  // Something is wrong with a declaration: what could be meant as its name is known all the same.
  void declare_what_may_be_meant(const form& f);
  // A variable in the place of one whose declaration is wrong. No name means it.
  variable* nameless();
  // One that has been declared before is seen here, too, unless another has its name in this scope.
  void show(variable& v);

  // Null if the name means none.
  variable* find(std::string_view name) const;
  // Says that `f` means nothing: once for each class and function.
  void say_unknown(const form& f);
  // A class or a function begins.
  void begin_body() { told_.clear(); }

  box_state& box(const variable& v) { return boxes_[&v]; }

 private:
  void end_scope();
  variable* find_in_scope(std::string_view name) const;
  std::vector<std::string> names_in_sight() const;

  program& program_;
  diagnostics& said_;
  std::vector<variable*> visible_;   // the innermost last; each has a name, no two of a scope the same
  std::vector<std::size_t> begins_;  // where each scope begins among them
  std::map<const variable*, box_state> boxes_;
  std::set<std::string_view> told_;  // names that have been said to be unknown
};

}  // namespace abcl
