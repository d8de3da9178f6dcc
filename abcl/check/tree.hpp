// A checked program: what each name means, and the type of each expression. What passes behind the checker read.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "abcl/check/nodes.hpp"
#include "abcl/text/source.hpp"
#include "abcl/types/type.hpp"

namespace abcl {

struct class_def {
  std::string_view name;
  span where;  // all of it
  span name_where;
  const type* of = nullptr;
  const type* interface = nullptr;
  std::vector<variable*> arguments;  // of its creation
  std::vector<variable*> state;
  std::vector<expression_ptr> initial;  // of each state variable; null where nothing is said
  expressions body;                     // before the script
  std::unique_ptr<tree::cases> script;  // null: none
  std::vector<span> uses;
  std::vector<std::pair<const type*, span>> messages;  // where the interface has them
  std::string cpp;                                     // a class of C++: its name there; its objects have no body
};

// Whether `abcl test` runs it: its name begins with Test, and it has no creation arguments.
bool is_test(const class_def& c);

struct function_def {
  std::string_view name;
  span where;
  span name_where;
  std::vector<variable*> arguments;
  const type* result = nullptr;
  bool acts = false;           // it changes what its caller sees, or prints
  bool looks_outside = false;  // a library function that it calls has effects, or gives another value each time
  bool leaves_traces = false;  // it prints, or changes an array that it has not made
  expressions body;
  std::vector<span> uses;
  std::string cpp;  // a function of C++: its name there; it has no body
};

// A name that the program has given to a type.
struct type_alias {
  std::string_view name;
  span where;
  span name_where;
  const type* of = nullptr;  // what it stands for
  std::vector<span> uses;
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
  std::deque<type_alias> aliases;
  std::vector<foreign_file> foreign;

  // Empty ones, which must not be there already.
  class_def& add_class(std::string_view name);
  function_def& add_function(std::string_view name);
  type_alias& add_alias(std::string_view name);
  // Null if there is none.
  class_def* find_class(std::string_view name) const;
  function_def* find_function(std::string_view name) const;
  type_alias* find_alias(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, class_def*> class_of_;
  std::unordered_map<std::string_view, function_def*> function_of_;
  std::unordered_map<std::string_view, type_alias*> alias_of_;
};

}  // namespace abcl
