// Declarations: which classes, functions and names of types there are, before anything is known of them but their
// names.
#pragma once

#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/read/form.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

// A class or a function, and the form that it is read from.
struct class_text {
  class_def* of;
  const form* from;
  std::size_t body;  // the first part that is of it
  bool damaged;
  bool foreign = false;
  const form* arguments = nullptr;
};
struct function_text {
  function_def* of;
  const form* from;
  bool damaged;
  bool foreign = false;
};
struct alias_text {
  type_alias* of;
  const form* from;
};

class declarations {
 public:
  declarations(program& into, diagnostics& said) : program_(into), said_(said) {}

  // A form at the outermost level. `damaged`: its brackets do not fit, so that a part of it may be missing.
  void add(const form& f, bool damaged);

  std::vector<class_text>& classes() { return classes_; }
  std::vector<function_text>& functions() { return functions_; }
  const std::vector<alias_text>& aliases() const { return aliases_; }

 private:
  void add_class(const form& f, bool damaged, bool foreign);
  void add_function(const form& f, bool damaged, bool foreign);
  void add_foreign(const form& f, bool damaged);
  void add_alias(const form& f, bool damaged);
  // Where the declarations in a `foreign` begin, behind the files that it names.
  std::size_t add_foreign_files(const form& f, bool damaged);

  program& program_;
  diagnostics& said_;
  std::vector<class_text> classes_;
  std::vector<function_text> functions_;
  std::vector<alias_text> aliases_;
};

}  // namespace abcl
