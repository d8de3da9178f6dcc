// Entries: the functions by which a message comes in, and how they are declared.
#pragma once

#include <string>
#include <vector>

#include "abcl/cpp/names.hpp"
#include "abcl/cpp/plan.hpp"

namespace abcl::cpp {

// How a message comes in: asked, or with the place where the reply goes; by its class or by an interface.
struct entry {
  std::string name;    // of the function
  bool keeps = false;  // its first argument is a tsubu::reply_to
  bool to = false;     // its last one is the reply destination
  bool interface = false;
  std::string pointer;  // as C++ names it
};
std::vector<entry> entries(const method& m);
// Without those of interfaces that are functions of its own, too.
std::vector<entry> functions_of(const method& m);
// Several functions lead to one more, do_..., which is told whom to reply to.
bool has_common(const method& m);
// What takes an express message by the interface, and sends it on.
entry sending_on(const method& m);

std::string pointer(const method& m, bool to, bool once);
std::string pointer(const selector& s, bool express);
bool is_coroutine(const method& m, const entry& e);
// What is told whom to reply to.
std::string asker_type(plan& of, const method& m);

std::vector<std::string> argument_names(name_scope& names, const method& m);
std::string arguments_of(const method& m, const entry& e, const std::vector<std::string>& names);
// What stands before the body; and in the class.
std::string head(const method& m, const entry& e, const std::vector<std::string>& names);
std::string declaration(const method& m, const entry& e, const std::vector<std::string>& names);
// Those of the common function.
std::string common_head(plan& of, const method& m, const std::vector<std::string>& names);
std::string common_declaration(plan& of, const method& m, const std::vector<std::string>& names);

// What keeps a message that a wait-for has taken.
std::string taken_type(plan& of, const method& m);
std::string taken_name(const method& m);

}  // namespace abcl::cpp
