// The classes, functions and names of types of a session, and what becomes of them when one is defined anew.
//
// What uses a new definition is made anew with it, under the same name. The version of before keeps another name,
// "Counter (version 1)", which nobody can write, and so do the types of variables that hold its objects, if these
// understand other messages: so the checker knows both, and what it has checked stays true. Earlier versions that no
// variable can reach are forgotten; their code is not, since objects may still run it.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abcl/code/code.hpp"
#include "abcl/read/form.hpp"

namespace abcl::repl {

struct definition {
  form what;
  std::string_view name;
  bool is_class = false;
  bool is_alias = false;    // a name of a type: it has no code
  bool is_earlier = false;  // a version that has been replaced
  std::string_view text;    // as it was typed
  int number = -1;          // of its class or function in the image; below 0: there is no code yet
  code::text messages;      // its code, before it is translated to registers
};

// Whether it is one; what it defines, as far as that can be told.
bool is_definition(const form& f);
bool defines_class(const form& f);
// A class or a name of a type, which have their names in common.
bool defines_type(const form& f);
std::string_view defined_name(const form& f);

class definitions {
 public:
  // Others than before: `more` are added, or take the place of earlier ones. `types`: the types of session variables,
  // whose names change where they are of earlier versions.
  struct addition {
    const form* what;
    std::string_view text;
  };
  void add(const std::vector<addition>& more, const std::vector<form*>& types);
  // Forgets earlier versions that none of these types needs.
  void forget(const std::vector<const form*>& types);

  std::deque<definition>& all() { return all_; }
  const std::deque<definition>& all() const { return all_; }
  // The class or function.
  definition* find(std::string_view name, bool is_class);

 private:
  // A name, and whether it is that of a class or a type: functions have names of their own.
  using known_name = std::pair<bool, std::string_view>;
  const definition* find_name(const known_name& name) const;
  std::set<known_name> changed_interfaces(const std::map<known_name, std::string_view>& earlier) const;

  std::deque<definition> all_;
  int versions_ = 0;
};

// Words that live as long as the process, for forms that nobody has typed.
std::string_view kept_word(std::string word);

}  // namespace abcl::repl
