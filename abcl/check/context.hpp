// Where a form stands: what every rule is told of its surroundings. It is handed down by value, so that what holds
// inside of a form, as that it is part of a guard, ends with it; what comes back from inside goes into what it points
// to.
#pragma once

#include "abcl/check/environment.hpp"
#include "abcl/check/type_reader.hpp"

namespace abcl {

// What the forms of a class have in common.
struct class_body {
  class_def& of;
  std::vector<const type*> has_clause{};  // messages of its interface
  bool clauses_are_wrong = false;         // some could not be read, so that a message may only seem to have none
};

// The reply that a `==>` clause owes to who has asked.
struct owed_reply {
  const type* of;
  bool given = false;  // a `!` with it has been seen
};

struct context {
  abcl::program& program;
  type_table& types;
  diagnostics& said;
  environment& names;
  type_reader& type_forms;

  class_body* in_class = nullptr;  // null: in a function
  owed_reply* owed = nullptr;      // null: nobody waits for a reply
  bool in_guard = false;
  bool in_first_value = false;  // of a state variable
  bool in_express = false;      // clause
  bool ends_class = false;      // a script may stand here
  // Why there is no loop that `break` could leave; null: there is one.
  const char* no_break = "no loop is around it";

  bool in_function() const { return in_class == nullptr; }
};

// The same, where a value is computed: a loop is left by a form that is executed.
context as_operand(const context& at);

// Whether something that does more than compute may stand here. If not, says that who stands here "does not print".
bool may_act(const context& at, const form& f, std::string_view what);

}  // namespace abcl
