// A checked program: what each name means, and the type of each expression. What passes behind the checker read.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "abcl/check/library.hpp"
#include "abcl/text/source.hpp"
#include "abcl/types/type.hpp"

namespace abcl {

struct class_def;
struct function_def;

struct variable {
  enum class kind { creation_argument, state, argument, local, counter, pattern, box };
  kind what = kind::local;
  std::string_view name;
  const type* of = nullptr;  // of a box: of the value that is put there
  span where;
  std::vector<span> uses;     // where it is read
  std::vector<span> changes;  // where it is assigned to

  // Whether [x := ...] may name it: what a loop counts and what a pattern has taken may not.
  bool may_be_assigned() const { return what == kind::state || what == kind::local || what == kind::creation_argument; }
};

enum class op {
  // values
  integer,
  real,
  text,
  boolean,
  nil,
  me,
  use,
  message,
  // messages
  past,
  now,
  future,
  reply,
  create,
  destination,
  // waiting
  sync,
  sync2,
  sync_all,
  wait_for,
  touch,
  next_value,
  is_ready,
  make_future,
  // control
  sequence,
  choose,
  loop,
  count,
  let,
  match,
  script,
  call,
  library,
  exit,
  suicide,
  non_resume,
  atomic,
  // the rest
  assign,
  make_array,
  element,
  length,
  is_null,
  my_node,
  node_count,
  print,
  expect,
  compute,
};

// Whether `abcl test` runs it: its name begins with Test, and it has no creation arguments.
struct class_def;
bool is_test(const class_def& c);

// The operators of op::compute.
enum class operation {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  equal,
  unequal,
  less,
  greater,
  at_most,
  at_least,
  both,
  either,
  negate,
  square_root,
  to_integer,
  to_real,
  to_text,
};

struct clause;

// `parts` are what stands in the source, in its order; what else a node has depends on `what`:
//   integer .. boolean   the value; use, destination: `var`
//   message              the elements; the tag is in the type
//   past, now, future    the target, then the elements of the message, or, if `whole`, one part that is the message;
//                        `selector` is the message type of the receiver that takes it (null: a reply destination);
//                        future: the last part is the future
//   create               the arguments, then, if `placed`, the node; `of_class`
//   sync ..sync_all      `vars` are the boxes
//   count                `vars[0]` counts from the first part to below the second; the rest is the body
//   let                  `vars`, each with a part, null where nothing is said; then the body
//   match, script, wait_for   `clauses`; match has the value as its part
//   assign               the place, the value; call: `of_function`; library: `of_library`; compute: `does`
struct expression {
  op what = op::integer;
  span where;
  const type* of = nullptr;
  std::vector<std::unique_ptr<expression>> parts;
  variable* var = nullptr;
  std::vector<variable*> vars;
  std::vector<clause> clauses;
  const class_def* of_class = nullptr;
  const function_def* of_function = nullptr;
  const library_function* of_library = nullptr;
  const type* selector = nullptr;
  span tag;  // of the message, where it is written there; empty: it has none
  operation does = operation::add;
  bool whole = false;
  bool express = false;
  bool placed = false;
  std::int64_t integer = 0;  // boolean: 0 or 1
  double real = 0;
  std::string text;
};
using expression_ptr = std::unique_ptr<expression>;

struct pattern_element {
  variable* bound = nullptr;  // null: a literal, or `_`
  expression_ptr literal;     // null: a name, or `_`
};

struct clause {
  span where;
  span tag;  // of the message; empty: it has none
  bool express = false;
  bool replies = false;         // `==>`: `!` in it answers this message
  const type* takes = nullptr;  // the message type, with its reply destination; null in what is wrong
  std::vector<pattern_element> pattern;
  expression_ptr guard;  // null: none
  std::vector<expression_ptr> body;
  const type* of = nullptr;  // of its last expression
};

struct class_def {
  std::string_view name;
  span where;  // all of it
  span name_where;
  const type* of = nullptr;
  const type* interface = nullptr;
  std::vector<variable*> arguments;  // of its creation
  std::vector<variable*> state;
  std::vector<expression_ptr> initial;  // of each state variable; null where nothing is said
  std::vector<expression_ptr> body;
  std::vector<span> uses;
  std::vector<std::pair<const type*, span>> messages;  // where the interface has them
  std::string cpp;                                     // a class of C++: its name there; its objects have no body
};

struct function_def {
  std::string_view name;
  span where;
  span name_where;
  std::vector<variable*> arguments;
  const type* result = nullptr;
  bool acts = false;           // it changes what its caller sees, or prints
  bool looks_outside = false;  // a library function that it calls has effects, or gives another value each time
  std::vector<expression_ptr> body;
  std::vector<span> uses;
  std::string cpp;  // a function of C++: its name there; it has no body
};

// A header or a source of C++ that the program names: "file.hpp" is beside the file that has the name, "<file>" where
// the compiler looks.
struct foreign_file {
  span where;
  std::string name;
  bool is_header = false;

  bool of_the_system() const { return name.starts_with('<'); }
};

class program {
 public:
  type_table types;
  std::deque<variable> variables;
  std::deque<class_def> classes;
  std::deque<function_def> functions;
  std::vector<foreign_file> foreign;

  // Empty ones, which must not be there already.
  class_def& add_class(std::string_view name);
  function_def& add_function(std::string_view name);
  // Null if there is none.
  class_def* find_class(std::string_view name) const;
  function_def* find_function(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, class_def*> class_of_;
  std::unordered_map<std::string_view, function_def*> function_of_;
};

}  // namespace abcl
