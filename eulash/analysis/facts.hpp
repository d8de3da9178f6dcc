// What the analysis knows of a program, over all of its files: its objects, who may point to what, who calls whom, and
// each access.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "eulash/analysis/graph.hpp"
#include "eulash/source/program.hpp"

namespace eulash {

enum class object_kind : unsigned char { variable, local, heap, function, constant, arguments, unknown };

struct object_facts {
  object_kind kind = object_kind::unknown;
  std::string name, type;
  place at;
  int function = -1;                          // whose local it is, or who allocates it
  bool synchronises = false;                  // a function of POSIX threads is given it
  bool has_first_value_of_addresses = false;  // of variables with static storage
};

struct function_facts {
  std::string name;
  place at;
  bool defined = false;
  std::vector<value> parameters;
  value others = 0, result = 0;  // `others`: what is passed for `...`
  std::set<int> callees;
};

struct access_facts {
  int function = 0;
  object direct = -1;  // or
  value pointer = 0;
  bool writes = false;
  place at;
};

// A call of a function that the program may have no text of: then it must not be given memory that may be shared.
struct outside_call {
  std::string name;
  place at;
  std::vector<value> arguments;
  value result = 0;
  int callee = -1;  // -1: of the library, and known
};

// A call by a pointer; `thread`: pthread_create, which calls it in a new thread.
struct pointer_call {
  int function = 0;
  value callee = 0;
  std::vector<value> arguments;
  value result = 0;
  bool thread = false;
  std::set<int> linked;
};

struct facts {
  facts();

  graph values;
  std::vector<object_facts> objects;
  std::vector<function_facts> functions;
  std::vector<access_facts> accesses;
  std::vector<outside_call> outside_calls;
  std::vector<value> synchronised;  // what functions of POSIX threads are given
  std::vector<pointer_call> pointer_calls;
  std::set<int> thread_functions;                  // that pthread_create starts
  std::vector<value> passed_to_threads;            // and what they return
  std::vector<value> told_outside;                 // addresses in texts and files, which may come back
  std::map<std::string, value> pointers;           // by where they stand: key_of()
  std::map<std::string, object> sites;             // of allocations, by where the call stands
  std::map<std::string, object> variables;         // by name or place
  std::map<object, int> function_of;               // function objects
  object library = 0, unknown = 0, arguments = 0;  // memory of the library's; of somebody unknown; what argv leads to
  value returned_by_threads = 0, specific = 0;

  object add_object(object_facts o);
  int function_named(const std::string& key);
  object object_of_function(int function);
  bool is_defined(const std::string& function) const;

 private:
  std::map<std::string, int> function_keys_;
  std::map<int, object> function_objects_;
};

// Where an expression stands, the same for each reading of the same text.
std::string key_of(const parsed& p, const clang::Expr* e);
// What a variable or function is known by.
std::string key_of(const parsed& p, const clang::NamedDecl* d);

// Adds what a file says.
void collect(const parsed& p, facts& to);
// When all have: who points to what.
void solve(facts& f);

}  // namespace eulash
